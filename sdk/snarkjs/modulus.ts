import { bls12377, bn254 } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bytesToBigint } from '../field/bytes.js';
import type { ByteSource } from '../io/byte-source.js';
import { viewOf } from './section-file.js';

/** Bytes of the largest modulus that a file of any curve in use has; a larger number is a damaged file. */
const MAX_MODULUS_BYTES = 128;

/** Fields that circom and snarkjs know besides BN254's, for error messages. */
const FIELDS: readonly (readonly [modulus: bigint, name: string])[] = [
  [bn254.fq.modulus, "BN254's base field"],
  [bn254.fr.modulus, "BN254's scalar field"],
  [0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn, 'BLS12-381'],
  [0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n, "BLS12-381's scalar field"],
  [bls12377.fq.modulus, 'BLS12-377'],
  [bls12377.fr.modulus, "BLS12-377's scalar field"],
  [2n ** 64n - 2n ** 32n + 1n, 'the Goldilocks field'],
];

/** A modulus by its field's name where that is known, by its size otherwise. */
export function fieldName(modulus: bigint): string {
  return FIELDS.find(([known]) => known === modulus)?.[1] ?? `a field of ${modulus.toString(2).length} bits`;
}

/**
 * Reads a modulus as .zkey and .wtns write it, its size in bytes (u32) and then itself, little-endian.
 * `end` is the offset behind it.
 */
export async function readModulus(section: ByteSource, offset: number): Promise<{ modulus: bigint; end: number }> {
  const size = viewOf(await section.read(offset, 4)).getUint32(0, true);
  if (size === 0 || size > MAX_MODULUS_BYTES) {
    throw new PippinError('MALFORMED_FILE', `expected a modulus of 1 to ${MAX_MODULUS_BYTES} bytes, got ${size} bytes`);
  }
  return { modulus: bytesToBigint(await section.read(offset + 4, size)), end: offset + 4 + size };
}
