import type { GroupId } from '../../../curves/index.js';

/**
 * Costs of steps in mixed G1 additions (a base to an accumulator). Measured on an H200 for BN254 unless stated
 * otherwise.
 */

/**
 * A mixed addition in each group, counted and not measured. By limbs, a product of limbs counts 1, and its reduction
 * another 1. G2 has 20 sums of two products with one reduction each; G1 has 6 products, one such sum, and 2 squares,
 * whose product costs half: 60 against 18. By bytes, 30 products with their reductions against 10.
 */
export const ADDITION_COST: Readonly<Record<GroupId, number>> = { g1: 1, g2: 3.3 };

/** A full addition has 14 products, a mixed one 10 (XYZZ), in either group. */
export const FULL_ADDITION_COST = 1.4;

/** Cutting and counting a digit, or scattering it. */
export const DIGIT_COST = 0.03;
