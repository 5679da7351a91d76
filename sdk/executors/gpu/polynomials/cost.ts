/** Costs of the quotient's steps, in the unit of `Pace`: one point addition, about 12 products. */
export const PRODUCT_COST = 1 / 12;

/** A product, a sum and a difference, with their share of loads and stores. */
export const BUTTERFLY_COST = 1.3 * PRODUCT_COST;

/** A multiply-add, with its loads. */
export const ENTRY_COST = 1.3 * PRODUCT_COST;

/** A single addition. */
export const SUM_COST = 0.3 * PRODUCT_COST;

/** Two products and a difference. */
export const MULTIPLY_COST = 2.3 * PRODUCT_COST;

/** On average a product for every second bit of an index of `bits` bits. */
export function twiddleCost(bits: number): number {
  return (1 + bits / 2) * PRODUCT_COST;
}
