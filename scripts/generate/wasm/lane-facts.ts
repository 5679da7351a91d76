import type { FieldParameters } from '../../../sdk/curves/index.js';
import { packedMontgomeryBits, packedWords } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { fieldName } from '../bounds.js';

/**
 * Bits of a limb in the f64x2 kernels, at most: with 52 the product of two limbs has halves that each fill a double's
 * 53 bits.
 */
const MOST_LIMB_BITS = 52;
/** Bits to spare for lazy sums. */
const SPARE_BITS = 3;

/** Everything about one field that the text of its two-lane form needs. */
export interface LaneFacts {
  readonly name: string;
  readonly p: bigint;
  readonly limbs: number;
  /**
   * 52, or 51 where that takes no more limbs: then the halves of a product are split by an addition in place of a
   * multiply-add.
   */
  readonly limbBits: number;
  readonly words: number;
  /** R = 2^(limbs * limbBits). */
  readonly r: bigint;
  /** The R of the packed form. If it is the same as `R`, packed elements can be loaded without a product. */
  readonly packedR: bigint;
  readonly modulusLimbs: readonly bigint[];
  /** -1/p mod 2^limbBits, between -2^(limbBits - 1) and 2^(limbBits - 1). */
  readonly negativeInverse: bigint;
  /** 1/p, likewise. */
  readonly inverse: bigint;
  /** 2^(-limbBits (limbs - 1 - i)) mod p for the limbs i below the highest, between -p/2 and p/2. */
  readonly foldingLimbs: readonly (readonly bigint[])[];
}

export function laneFacts(field: FieldParameters): LaneFacts {
  const p = field.modulus;
  const limbs = Math.ceil((field.bits + SPARE_BITS) / MOST_LIMB_BITS);
  const limbBits = limbs * (MOST_LIMB_BITS - 1) >= field.bits + SPARE_BITS ? MOST_LIMB_BITS - 1 : MOST_LIMB_BITS;
  const base = 1n << BigInt(limbBits);
  const folding = (i: number): bigint => nearestZero(inverse(1n << BigInt(limbBits * (limbs - 1 - i)), p), p);
  return {
    name: fieldName(field),
    p,
    limbs,
    limbBits,
    words: packedWords(field.bits),
    r: 1n << BigInt(limbs * limbBits),
    packedR: 1n << BigInt(packedMontgomeryBits(field.bits)),
    modulusLimbs: balancedLimbs(p, limbs, limbBits),
    negativeInverse: nearestZero(-inverse(p, base), base),
    inverse: nearestZero(inverse(p, base), base),
    foldingLimbs: Array.from({ length: limbs - 1 }, (_, i) => balancedLimbs(folding(i), limbs, limbBits)),
  };
}

/** The number congruent to `value` modulo p that lies from -p/2 to p/2 - 1/2 (p odd) or p/2 - 1. */
export function nearestZero(value: bigint, p: bigint): bigint {
  const m = mod(value, p);
  return 2n * m >= p ? m - p : m;
}

/**
 * Signed limbs of `value`, lowest first: each from -2^(bits - 1) to 2^(bits - 1) - 1 but the highest, which takes what
 * is left.
 */
export function balancedLimbs(value: bigint, count: number, bits: number): bigint[] {
  const base = 1n << BigInt(bits);
  const limbs: bigint[] = [];
  let rest = value;
  for (let i = 0; i < count - 1; i++) {
    limbs.push(nearestZero(rest, base));
    rest = (rest - limbs[i]!) / base;
  }
  return [...limbs, rest];
}
