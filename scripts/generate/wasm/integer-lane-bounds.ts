import { expectBound } from '../bounds.js';
import { BASE, type IntegerLaneFacts } from './integer-lane-facts.js';

const HALF = BASE / 2n;
/**
 * What a limb may exceed half of the base by: `reduce` carries all limbs at once, so that carries are not carried
 * again.
 */
const LIMB_SLACK = 16n;

/**
 * Multiples of p that `reduce` takes away, at most. It takes limbs up to four times half of the base, 2^28, and as a
 * limb of p is no larger than that, seven times 2^28 is the most that a limb becomes in between, which fits 32 bits.
 */
export const MOST_REDUCED = 3;

/**
 * Throws where a field's integer lanes do not keep a bound that wasm/msm/lane-pairs.ts and wasm/field/fq2-lanes.ts rely
 * on. Coordinates are below 0.51 p, products below 0.51 p and |a b| / R.
 */
export function checkIntegerLaneBounds({ name, p, limbs, r }: IntegerLaneFacts, nonResidue?: bigint): void {
  const count = BigInt(limbs);
  // One operand may be a sum of two normalised ones. What is folded and the two reduction steps add a term for each
  // limb.
  const term = 2n * (HALF + LIMB_SLACK) ** 2n;
  const column = (nonResidue === undefined ? 1n : 2n) * count * term + count * HALF * HALF + 2n ** 36n;
  expectBound(name, 'a column of products in integer lanes', column, 2n ** 63n);
  // Operands up to 4 p: 16 p^2 / R counts a quarter of p at most. So a square less two coordinates, the largest value
  // that is reduced, and the sum of two products stay below 3.5 p; so does twice an operand of the quadratic extension's
  // product, the first step of multiplying by u^2: it is a product, or a difference of coordinates below 1.02 p.
  expectBound(name, 'a product of operands up to 4 p, in integer lanes', 64n * p, r);
}
