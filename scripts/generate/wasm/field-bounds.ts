import { WASM_LIMB_BITS } from '../../../sdk/curves/limbs.js';
import { bitLength, expectBound } from '../bounds.js';
import type { Facts } from './field-facts.js';

/** Bounds of what transforms leave unreduced, in multiples of p. */
const MOST_MULTIPLES = 64n;
/**
 * Stages that transforms run without a reduction, at most; the data of a transform of 2^28 elements do not fit a WASM
 * memory.
 */
const STAGES = 28n;

/** What a field's module serves beside the field: products in the quadratic extension, transforms. */
export interface FieldUses {
  /** u^2 in the quadratic extension F_p[u] / (u^2 - nonResidue). */
  readonly nonResidue?: bigint | undefined;
  readonly transforms?: boolean;
}

/** Throws where a field's limbs do not keep a bound that the text of its module relies on. */
export function checkFieldBounds(facts: Facts, { nonResidue, transforms }: FieldUses): void {
  const { name, p, limbs, r, modulusLimbs } = facts;
  const limb = 1n << BigInt(WASM_LIMB_BITS);
  const product = (limb - 1n) ** 2n;
  const carry = 1n << 35n;
  const count = BigInt(limbs);
  expectBound(name, 'a product of elements, 4 p^2 / R + p', 4n * p * p + p * r, 2n * p * r);
  expectBound(name, 'a column of 2 products a limb', 2n * count * product + carry, 1n << 64n);
  expectBound(name, "a sum's multiple of p, 4 p", 4n * p, r);
  // Two numbers below 2p have 2 limbs WASM_LIMB_BITS bits in all, or fewer, and an inverse takes a step for each at
  // most: two rounds a limb, each of which raises the bound of its numbers by p. Their highest limb has a sign; two of
  // them are multiplied by 30 bits.
  const highest = (2n * count * p) >> BigInt(WASM_LIMB_BITS * (limbs - 1));
  expectBound(name, 'products of the highest limb of an inverse', (highest + 1n) << 31n, 1n << 63n);
  if (nonResidue !== undefined) {
    const size = nonResidue < 0n ? -nonResidue : nonResidue;
    expectBound(name, 'a column of 2 products a limb, with a sign', 2n * count * product + limb + carry, 1n << 63n);
    expectBound(name, 'a column of 3 products a limb', 3n * count * product + carry, 1n << 64n);
    expectBound(name, 'an element times u^2', 2n * size * p, r);
    const offset = nonResidue < 0n ? extensionOffset(p, nonResidue) : 4n * size * p * p;
    expectBound(name, 'a product of the quadratic extension', 4n * p * p + offset + p * r, 2n * p * r);
  }
  if (transforms) {
    expectBound(name, 'what transforms leave unreduced, 64 p', MOST_MULTIPLES * p, r);
    expectBound(name, 'the elements of a transform, (8 + 2 stages) p', 8n + 2n * (STAGES - 3n), MOST_MULTIPLES);
    expectBound(name, 'a product with a factor', MOST_MULTIPLES * factorMultiples(facts) * p * p + p * r, 2n * p * r);
    // A product with a spread factor: limbs times rows below 2 p, and two steps of Montgomery's.
    expectBound(name, 'a product with a spread factor', 10n * (count * limb * 2n * p), limb * limb * p);
    expectBound(name, 'a column of a product with a spread factor', (count + 2n) * product + carry, 1n << 64n);
    // reduceMultiples leaves less than (1 + 64 / p_top) p, and `reduce` takes p away once.
    expectBound(name, 'what is left of multiples, in p', MOST_MULTIPLES, BigInt(modulusLimbs[limbs - 1]!));
  }
}

/**
 * The multiple of p that keeps products of elements, 4 p^2 at most, from being negative when so many of them are taken
 * away: p times a power of two, of two bits more than p for u^2 = -1.
 */
export function extensionOffset(p: bigint, nonResidue: bigint): bigint {
  return p << BigInt(bitLength(p) + 2 + bitLength(-nonResidue - 1n));
}

/**
 * The bound of factors in Montgomery form, in multiples of p: 2 as of any element, or 1 where a product of 64 p with a
 * larger one would exceed 2 p. Then they are reduced when they are made.
 */
export function factorMultiples({ p, r }: Facts): bigint {
  return 2n * MOST_MULTIPLES * p < r ? 2n : 1n;
}
