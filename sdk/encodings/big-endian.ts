import { bigintToBytes } from '../base/bytes.js';

/** `value` (0 <= value < 2^(8 length)) as `length` bytes, the highest first. */
export function bigEndian(value: bigint, length: number): Uint8Array {
  return bigintToBytes(value, length).reverse();
}
