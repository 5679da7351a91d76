import { bytesToBigint, writeBigint } from '../../sdk/base/bytes.js';
import { SCALAR_BYTES } from '../../sdk/curves/index.js';

/** Values as bytes: `size` little-endian bytes for each. */
export function scalarsToBytes(values: readonly bigint[], size: number = SCALAR_BYTES): Uint8Array {
  const bytes = new Uint8Array(values.length * size);
  for (const [i, value] of values.entries()) writeBigint(bytes, i * size, size, value);
  return bytes;
}

export function scalarsFromBytes(bytes: Uint8Array, size: number = SCALAR_BYTES): bigint[] {
  return Array.from({ length: bytes.length / size }, (_, i) => bytesToBigint(bytes, i * size, size));
}
