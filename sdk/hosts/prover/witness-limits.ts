import type { OptionReader } from '../../base/option-reader.js';

/** What `witnessTimeout` is by default: several times what the largest circuits in use take on a slow phone. */
export const WITNESS_TIMEOUT_MS = 120_000;
/** The most that a timer takes. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** What `witnessMemory` is by default: a circuit of millions of constraints takes a few hundred megabytes. */
export const WITNESS_MEMORY_BYTES = 2 ** 30;
/** The most that a memory of 32-bit WebAssembly can have. */
export const MAX_MEMORY_BYTES = 2 ** 32;

/** The options of `fullProve` that `prove` takes as well, and does not use. */
export const OF_CIRCUITS = ['strictInputs', 'witnessTimeout', 'witnessMemory', 'exchangeArithmetic'] as const;

/** Milliseconds that a circuit's code may take. */
export function witnessTimeout(options: OptionReader): number {
  return options.number('witnessTimeout', 1, MAX_TIMEOUT_MS, 'milliseconds') ?? WITNESS_TIMEOUT_MS;
}

/** The bytes that a circuit's memory may take. */
export function witnessMemory(options: OptionReader): number {
  return options.number('witnessMemory', 1, MAX_MEMORY_BYTES, 'bytes') ?? WITNESS_MEMORY_BYTES;
}
