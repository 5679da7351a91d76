import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { SCALAR_BYTES } from '../../curves/index.js';

/** A .wtns file of version 2 with values of `SCALAR_BYTES` bytes, as `readWtns` in wtns.ts describes it. */
export function writeWtns(values: Uint8Array, modulus: bigint): Uint8Array {
  const u32 = (value: number): Uint8Array => bigintToBytes(BigInt(value), 4);
  const u64 = (value: number): Uint8Array => bigintToBytes(BigInt(value), 8);
  const header = [u32(SCALAR_BYTES), bigintToBytes(modulus, SCALAR_BYTES), u32(values.length / SCALAR_BYTES)];
  return joinBytes([
    new TextEncoder().encode('wtns'),
    ...[2, 2, 1].map(u32),
    u64(8 + SCALAR_BYTES),
    ...header,
    u32(2),
    u64(values.length),
    values,
  ]);
}
