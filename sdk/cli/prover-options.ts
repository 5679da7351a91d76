import type { LoadTuning, Precompute, ProverOptions } from '../api/index.js';
import { OptionReader } from '../base/option-reader.js';
import { basesTuning } from '../hosts/prover/tuning-options.js';
import { flag, integer, type Option, type OptionTable, usageError, type Values, word } from './option.js';

const MOST_MULTIPLES = 32;

/** How many multiples the bases get, as `loadBases` and `loadKey` take it. */
const precompute: Option<Precompute> = {
  value: 'N|auto',
  help: 'keep so many multiples of each point, 1 to 32: later MSMs are faster, loading takes longer, and memory and cache hold more (default: 1, the points alone; auto: as many as pay off)',
  read(given, name) {
    if (given === 'auto') return given;
    const multiples = Number(given);
    if (/^[0-9]+$/.test(given) && multiples >= 1 && multiples <= MOST_MULTIPLES) return multiples;
    throw usageError(`expected ${name} auto, or from 1 to ${MOST_MULTIPLES}, got ${given}`);
  },
};

/** Options of every command that computes with a prover. */
export const PROVER_OPTIONS = {
  backend: word(
    ['auto', 'webgpu', 'wasm'],
    'what computes: the GPU (webgpu), workers (wasm), or what is faster (auto, the default); webgpu fails where there is no adapter',
  ),
  threads: integer(
    'N',
    "how many WASM workers there are, 0 to 64; with 0 the command's own thread computes (default: one for each thread of the machine, at most 16)",
    0,
    64,
  ),
  'no-cache': flag('use no cache: read nothing that was prepared earlier, and keep nothing on disk'),
} satisfies OptionTable;

/** Options of commands that load bases or keys. */
export const LOADING_OPTIONS = { ...PROVER_OPTIONS, precompute } satisfies OptionTable;

export const CONSTANT_WORK = flag(
  'do the same work whatever the secret values are, so that the time tells less of them; slower',
);

/** Options of a prover as the command line gives them. */
export function proverOptions(values: Values<typeof PROVER_OPTIONS>): ProverOptions {
  const { backend = 'auto', threads, 'no-cache': noCache } = values;
  return { backend, ...(threads === undefined ? {} : { threads }), cache: !noCache };
}

/** The flags of a tuning, and the fields that they give. */
const FIELDS = {
  'window-bits': 'windowBits',
  'large-bucket-factor': 'largeBucketFactor',
  chunks: 'chunks',
  reduction: 'reduction',
  accumulation: 'accumulation',
  digits: 'digits',
} as const satisfies Record<string, keyof LoadTuning>;

export type TuningFlag = keyof typeof FIELDS;
export const TUNING_FLAGS = Object.keys(FIELDS) as readonly TuningFlag[];

/**
 * The tuning of bases by flags and `precompute`. `INVALID_ARGUMENT` for values that the fields cannot have, or not
 * together.
 */
export function tuningByFlags(
  flags: { readonly [Flag in TuningFlag]?: string | undefined },
  precompute: Precompute,
): LoadTuning {
  const given = TUNING_FLAGS.flatMap((flag) => {
    const text = flags[flag];
    return text === undefined ? [] : [[FIELDS[flag], fieldValue(text)]];
  });
  const tuning = { ...Object.fromEntries(given), precompute };
  // It has no field that is undefined.
  return basesTuning(new OptionReader({ tuning }, 'the options')) as LoadTuning;
}

/** A number where the text is one; other texts stay words, which a field for numbers refuses. */
function fieldValue(text: string): string | number {
  return /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : text;
}
