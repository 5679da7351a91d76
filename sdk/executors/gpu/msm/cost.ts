import type { GroupId } from '../../../curves/index.js';

/** What steps cost in point additions of G1: of a base to a sum. Measured on an H200 for BN254, unless something else is said. */

/**
 * An addition of a base in each group, counted and not measured. By limbs: two operands make a product of limbs, and a reduction another. In
 * G2 there are 20 sums of two products with one reduction, in G1 6 products, such a sum, and 2 squares, which save half of the first: 60
 * against 18. By bytes: 30 products with their reductions against 10.
 */
export const ADDITION_COST: Readonly<Record<GroupId, number>> = { g1: 1, g2: 3.3 };

/** A full addition has 14 products where a mixed one has 10 (XYZZ), in either group. */
export const FULL_ADDITION_COST = 1.4;

/** Cutting and counting a digit, or placing it. */
export const DIGIT_COST = 0.03;
