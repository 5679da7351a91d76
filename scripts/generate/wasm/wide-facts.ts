import type { FieldParameters } from '../../../sdk/curves/index.js';
import { packedWords } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { expectBound, fieldName, requireBound } from '../bounds.js';

/** Bits of a limb in WASM with wide arithmetic. */
export const WIDE_LIMB_BITS = 64;

/** What the code of a field with wide arithmetic needs. */
export interface WideFacts {
  readonly name: string;
  readonly p: bigint;
  readonly limbs: number;
  /** -1/p mod 2^64. */
  readonly negativeInverse: bigint;
  /** R, the Montgomery factor: 2^(64 limbs). */
  readonly r: bigint;
}

/** The facts of a field; throws where a bound does not hold that the code relies on. */
export function wideFacts(field: FieldParameters): WideFacts {
  const p = field.modulus;
  const words = packedWords(field.bits);
  const limbs = Math.ceil(words / 2);
  const base = 1n << BigInt(WIDE_LIMB_BITS);
  const r = 1n << BigInt(WIDE_LIMB_BITS * limbs);
  const name = fieldName(field);
  requireBound(field, 'an element has an even number of words', words === 2 * limbs);
  // Then products are below 4 p^2 / R + p < 2 p, and sums of rows of two products fit the limbs.
  expectBound(name, 'sums of rows of products, 5 p,', 5n * p, r);
  // The last reduction of a sum of two products takes p away once.
  expectBound(name, 'a sum of two products, 8 p^2 / R + p,', 8n * p * p + p * r, 3n * p * r);
  return { name, p, limbs, negativeInverse: mod(-inverse(p, base), base), r };
}

/** The lowest `limbs` words of 64 bits of a number that is 0 or positive. */
export function littleEndianWords(value: bigint, limbs: number): bigint[] {
  return Array.from({ length: limbs }, (_, i) => BigInt.asUintN(WIDE_LIMB_BITS, value >> BigInt(WIDE_LIMB_BITS * i)));
}
