import { expectBound } from '../bounds.js';
import type { LaneFacts } from './lane-facts.js';

/** Significant bits of a double. */
const DOUBLE_BITS = 53n;
/**
 * Terms that a column of a product may have: each is below 2^51, so that they stay below the 2^57 that columns leave
 * room for.
 */
const MOST_TERMS = 64n;

/**
 * The multiples of p that `reduce` may take away: as many limbs of p, each up to half of 2^limbBits, and one limb in
 * between, stay below 2^53. It takes values up to half of p more.
 */
export function mostReduced({ limbBits }: LaneFacts): number {
  return 2 ** (Number(DOUBLE_BITS) - (limbBits - 1)) - 1;
}

/**
 * The bound of a product beyond |a b| / R, in quarters of p: half of p for each folded limb, and one Montgomery
 * reduction step.
 */
export function remainderQuarters({ limbs }: LaneFacts): bigint {
  return BigInt(limbs - 1 + 2);
}

/**
 * Throws where a field's lanes do not keep a bound that wasm/msm/lane-pairs.ts and wasm/field/fq2-lanes.ts rely on.
 * Coordinates are below 0.51 p, products below `remainderQuarters` and what |a b| / R adds.
 */
export function checkLaneBounds(facts: LaneFacts, nonResidue?: bigint): void {
  const { name, p, limbs, r } = facts;
  const extended = nonResidue !== undefined;
  const count = BigInt(limbs);
  const terms = 2n * (extended ? 2n : 1n) * count + 2n * (count - 1n) + 4n;
  expectBound(name, 'the terms of a column in lanes', terms, MOST_TERMS + 1n);
  // Operands up to 4 p: 16 p^2 / R counts a quarter of p at most.
  expectBound(name, 'a product of operands up to 4 p, in lanes', 64n * p, r);
  const product = remainderQuarters(facts) + 1n;
  const reducible = 4n * BigInt(mostReduced(facts)) + 2n;
  // A slope's square less two coordinates, and a product less one.
  expectBound(name, 'a square less two coordinates, in quarters of p', product + 5n, reducible + 1n);
  // That of two products, also the second slope of wasm/rows/lane-rows.ts, which only curves with such an extension have;
  // and twice a product, the first step of multiplying by u^2.
  if (extended) expectBound(name, 'the sum of two products, in quarters of p', 2n * product, reducible + 1n);
}

/** Multiples of p that elements of a transform in lanes may reach: their highest limb then stays below 2^limbBits. */
const MOST_TRANSFORMED = 84n;

/** Throws where a scalar field's lanes do not keep the bounds of transforms. */
export function checkTransformBounds({ name, p, limbs, limbBits, r }: LaneFacts): void {
  const highest = (MOST_TRANSFORMED * p) >> BigInt(limbBits * (limbs - 1));
  expectBound(name, 'the highest limb of an element of a transform in lanes, 84 p', highest, 1n << BigInt(limbBits));
  // A factor's form is below 0.51 p, and a spread factor's rows likewise: what |factor y| adds to 1.5 p or 2.6 p is |y|
  // / 160 at most.
  expectBound(name, 'a product with a factor in lanes', 82n * p, r);
}
