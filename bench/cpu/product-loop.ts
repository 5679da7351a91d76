/** A loop in WASM over two arrays of field elements: r_i = a_i b_i. One call of `run` computes all products. */
export interface ProductLoop {
  /** Puts a_i and b_i, 0 <= value < p, into the form that the product takes. */
  load(i: number, a: bigint, b: bigint): void;
  run(): void;
  /** r_i as `value`, which is congruent to a_i b_i r modulo p. Here r is the factor of the Montgomery form, or 1. */
  result(i: number): { readonly value: bigint; readonly r: bigint };
}
