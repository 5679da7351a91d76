import { SCALAR_BYTES } from '../../sdk/curves/index.js';
import { bytesToBigint, writeBigint } from '../../sdk/field/bytes.js';

/** Values as bytes: 32 little-endian bytes for each. */
export function scalarsToBytes(values: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(values.length * SCALAR_BYTES);
  for (const [i, value] of values.entries()) writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, value);
  return bytes;
}

export function scalarsFromBytes(bytes: Uint8Array): bigint[] {
  return Array.from({ length: bytes.length / SCALAR_BYTES }, (_, i) =>
    bytesToBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES),
  );
}
