import type { FieldParameters } from '../../../sdk/curves/index.js';
import { packedMontgomeryBits, WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { inverse } from '../../../sdk/curves/modular.js';
import { fieldFacts } from './field-facts.js';
import { balancedLimbs, nearestZero } from './lane-facts.js';

/** Everything about one field that the text of its form in integer lanes needs. Limbs and R are the i64 form's. */
export interface IntegerLaneFacts {
  readonly name: string;
  readonly p: bigint;
  readonly limbs: number;
  /** Vectors of two limbs of both elements. */
  readonly vectors: number;
  /** R = 2^(limbs * WASM_LIMB_BITS). */
  readonly r: bigint;
  /** The R of the packed form. */
  readonly packedR: bigint;
  /** Limbs of p and of 1, in Montgomery form, and of the plain p: signed, balanced; and as they are in the i64 form. */
  readonly modulusLimbs: readonly bigint[];
  readonly plainModulusLimbs: readonly number[];
  /** -1/p and 1/p modulo the base, between minus half of it and half of it. */
  readonly negativeInverse: bigint;
  readonly inverse: bigint;
  /** base^(-(limbs - 2 - i)) mod p for the limbs i below the two highest, between -p/2 and p/2. */
  readonly foldingLimbs: readonly (readonly bigint[])[];
}

/** 2^WASM_LIMB_BITS. */
export const BASE = 1n << BigInt(WASM_LIMB_BITS);

export function integerLaneFacts(field: FieldParameters): IntegerLaneFacts {
  const { name, p, limbs, r, modulusLimbs } = fieldFacts(field);
  const folding = (i: number): bigint => nearestZero(inverse(BASE ** BigInt(limbs - 2 - i), p), p);
  return {
    name,
    p,
    limbs,
    vectors: Math.ceil(limbs / 2),
    r,
    packedR: 1n << BigInt(packedMontgomeryBits(field.bits)),
    modulusLimbs: balancedLimbs(p, limbs, WASM_LIMB_BITS),
    plainModulusLimbs: modulusLimbs,
    negativeInverse: nearestZero(-inverse(p, BASE), BASE),
    inverse: nearestZero(inverse(p, BASE), BASE),
    foldingLimbs: Array.from({ length: limbs - 2 }, (_, i) => balancedLimbs(folding(i), limbs, WASM_LIMB_BITS)),
  };
}
