import type { Precompute, ProverOptions } from '../api.js';
import { flag, integer, type Option, type OptionTable, usageError, type Values, word } from './option.js';

const MOST_MULTIPLES = 32;

/** How many multiples the bases get, as `loadBases` and `loadKey` take it. */
const precompute: Option<Precompute> = {
  value: 'N|auto',
  help: 'multiples of each base, 1 to 32, that make later sums faster; kept in the cache (default: 1)',
  read(given, name) {
    if (given === 'auto') return given;
    const multiples = Number(given);
    if (/^[0-9]+$/.test(given) && multiples >= 1 && multiples <= MOST_MULTIPLES) return multiples;
    throw usageError(`expected ${name} auto, or from 1 to ${MOST_MULTIPLES}, got ${given}`);
  },
};

/** Options of every command that computes with a prover. */
export const PROVER_OPTIONS = {
  backend: word(['auto', 'webgpu', 'wasm'], 'what computes; webgpu fails where there is no adapter (default: auto)'),
  threads: integer(
    'N',
    "number of WASM workers, 0 to 64, where 0 computes on the command's own thread (default: that of the machine's threads, at most 16)",
    0,
    64,
  ),
  'no-cache': flag('keep nothing prepared on disk'),
} satisfies OptionTable;

/** Those of commands that load bases or keys. */
export const LOADING_OPTIONS = { ...PROVER_OPTIONS, precompute } satisfies OptionTable;

export const CONSTANT_WORK = flag('do work that does not depend on the secrets, which takes longer');

/** Options of a prover as the command line gives them. */
export function proverOptions(values: Values<typeof PROVER_OPTIONS>): ProverOptions {
  const { backend = 'auto', threads, 'no-cache': noCache } = values;
  return { backend, ...(threads === undefined ? {} : { threads }), cache: !noCache };
}
