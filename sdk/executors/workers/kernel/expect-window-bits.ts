import { PippinError } from '../../../base/errors.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../../bases/digits.js';

/** `INVALID_ARGUMENT` unless a window can have this number of bits. */
export function expectWindowBits(bits: number, least = MIN_WINDOW_BITS): void {
  if (Number.isInteger(bits) && bits >= least && bits <= MAX_WINDOW_BITS) return;
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected windowBits as an integer from ${least} to ${MAX_WINDOW_BITS}, got ${bits}`,
  );
}
