import type { LoadTuning, Precompute } from '../api/index.js';
import { OptionReader } from '../base/option-reader.js';
import { basesTuning } from '../hosts/prover/tuning-options.js';

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

/** The tuning of bases by flags and `precompute`. `INVALID_ARGUMENT` for values that the fields cannot have, or not together. */
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
