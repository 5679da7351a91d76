/** What the steps of a quotient cost, in the unit of `Pace`: the addition of two points, which takes about 12 products. */
const PRODUCT_COST = 1 / 12;

/** A product, a sum and a difference, and their share of loads and stores. */
export const BUTTERFLY_COST = 1.3 * PRODUCT_COST;

/** A product that is added to a sum, with its loads. */
export const ENTRY_COST = 1.3 * PRODUCT_COST;

/** A sum alone. */
export const SUM_COST = 0.3 * PRODUCT_COST;

/** Two products and a difference. */
export const MULTIPLY_COST = 2.3 * PRODUCT_COST;

/** A product for every second bit of a number of `bits` bits. */
export function twiddleCost(bits: number): number {
  return (1 + bits / 2) * PRODUCT_COST;
}
