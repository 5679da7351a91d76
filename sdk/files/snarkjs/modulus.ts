import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES } from '../../curves/index.js';
import type { ByteSource } from '../byte-source.js';
import { viewOf } from './section-file.js';

/** Bytes of the largest modulus that a file of any curve in use has; a larger number is a damaged file. */
export const MAX_MODULUS_BYTES = 128;

/** Primes that circom accepts (`--prime`) but that are not a field of a curve of Pippin, for messages. */
const OTHER_FIELDS: readonly (readonly [modulus: bigint, name: string])[] = [
  [2n ** 64n - 2n ** 32n + 1n, 'the Goldilocks field'],
  [0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n, "Pallas' base field"],
  [0x40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001n, "Vesta's base field"],
  [0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn, "secp256r1's base field"],
];

/** The name of the field with this modulus if it is known, otherwise a description by its size. */
export function fieldName(modulus: bigint): string {
  for (const { name, fq, fr } of Object.values(CURVES)) {
    if (fq.modulus === modulus) return `${name}'s base field`;
    if (fr.modulus === modulus) return `${name}'s scalar field`;
  }
  return OTHER_FIELDS.find(([known]) => known === modulus)?.[1] ?? `a field of ${modulus.toString(2).length} bits`;
}

/** A modulus as .zkey and .wtns write it. */
export interface WrittenModulus {
  readonly modulus: bigint;
  /** Bytes that the file gives to every element of the field. */
  readonly size: number;
  /** The offset of the first byte after it. */
  readonly end: number;
}

/** Reads a modulus: its size in bytes (u32) and then itself, little-endian. */
export async function readModulus(section: ByteSource, offset: number): Promise<WrittenModulus> {
  const size = viewOf(await section.read(offset, 4)).getUint32(0, true);
  if (size === 0 || size > MAX_MODULUS_BYTES) {
    throw new PippinError('MALFORMED_FILE', `expected a modulus of 1 to ${MAX_MODULUS_BYTES} bytes, got ${size} bytes`);
  }
  const end = offset + 4 + size;
  return { modulus: bytesToBigint(await section.read(offset + 4, size)), size, end };
}

/** Checks that the file gives `size` bytes to every element of a field; `MALFORMED_FILE` otherwise. */
export function expectElementBytes(written: WrittenModulus, size: number): void {
  if (written.size !== size) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected a modulus of ${size} bytes for ${fieldName(written.modulus)}, got ${written.size} bytes`,
    );
  }
}
