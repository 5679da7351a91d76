/** What steps cost in point additions: of a base to a sum. Measured on an H200 for BN254. */

/** A full addition has 14 products where a mixed one has 10 (XYZZ). */
export const FULL_ADDITION_COST = 1.4;

/** Cutting and counting a digit, or placing it. */
export const DIGIT_COST = 0.03;
