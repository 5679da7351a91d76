import type { FieldParameters } from '../../sdk/curves/index.js';
import { packedMontgomeryBits, packedWords } from '../../sdk/field/limbs.js';
import { inverse, mod } from '../../sdk/field/modular.js';

/** Bits of a limb in the f64x2 kernels: with 52 the product of two limbs has halves that each fill a double's 53 bits. */
export const LANE_LIMB_BITS = 52;

const HALF = 1n << BigInt(LANE_LIMB_BITS - 1);
const BASE = 1n << BigInt(LANE_LIMB_BITS);

/** Everything about one field that the text of its two-lane form needs. */
export interface LaneFacts {
  readonly p: bigint;
  readonly limbs: number;
  readonly words: number;
  /** R = 2^(limbs * limbBits). */
  readonly r: bigint;
  /** That of the packed form. Where both are the same, what is packed needs no product to be loaded. */
  readonly packedR: bigint;
  readonly modulusLimbs: readonly bigint[];
  /** -1/p mod 2^limbBits, between -2^51 and 2^51. */
  readonly negativeInverse: bigint;
  /** 1/p, likewise. */
  readonly inverse: bigint;
  /** 2^(-limbBits (limbs - 1 - i)) mod p for the limbs i below the highest, between -p/2 and p/2. */
  readonly foldingLimbs: readonly (readonly bigint[])[];
}

export function laneFacts(field: FieldParameters): LaneFacts {
  const p = field.modulus;
  // With at least 3 bits to spare for lazy sums.
  const limbs = Math.ceil((field.bits + 3) / LANE_LIMB_BITS);
  const folding = (i: number): bigint => nearestZero(inverse(1n << BigInt(LANE_LIMB_BITS * (limbs - 1 - i)), p), p);
  return {
    p,
    limbs,
    words: packedWords(field.bits),
    r: 1n << BigInt(limbs * LANE_LIMB_BITS),
    packedR: 1n << BigInt(packedMontgomeryBits(field.bits)),
    modulusLimbs: balancedLimbs(p, limbs),
    negativeInverse: balanced(mod(-inverse(p, BASE), BASE)),
    inverse: balanced(inverse(p, BASE)),
    foldingLimbs: Array.from({ length: limbs - 1 }, (_, i) => balancedLimbs(folding(i), limbs)),
  };
}

/** The number congruent to `value` modulo p that lies between -p/2 and p/2. */
export function nearestZero(value: bigint, p: bigint): bigint {
  const m = mod(value, p);
  return m > p / 2n ? m - p : m;
}

/** Signed limbs of `value`, lowest first: each from -2^51 to 2^51 - 1 but the highest, which takes what is left. */
export function balancedLimbs(value: bigint, count: number): bigint[] {
  const limbs: bigint[] = [];
  let rest = value;
  for (let i = 0; i < count - 1; i++) {
    limbs.push(balanced(mod(rest, BASE)));
    rest = (rest - limbs[i]!) / BASE;
  }
  return [...limbs, rest];
}

/** The number congruent to `digit` (0 .. 2^52 - 1) that lies in -2^51 .. 2^51 - 1. */
function balanced(digit: bigint): bigint {
  return digit >= HALF ? digit - BASE : digit;
}
