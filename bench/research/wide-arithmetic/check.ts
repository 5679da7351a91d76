import { inverse, mod } from '../../../sdk/curves/modular.js';
import type { FieldContender } from './contenders.js';
import type { PageResult } from './page.js';

/**
 * Throws unless all results of a contender for a_i and b_i are congruent to the expected ones, and of forms that give
 * their limbs (`module.limbs`) also below 2p.
 */
export function checkResults(
  { name, r, module }: FieldContender,
  result: PageResult,
  a: readonly bigint[],
  b: readonly bigint[],
  p: bigint,
): void {
  const product = productModulo(r, p);
  const expected = {
    products: a.map((x, i) => product(x, b[i]!)),
    squares: a.map((x) => product(x, x)),
    additions: additions(product, a, b, module.elements),
  };
  for (const operation of ['products', 'squares', 'additions'] as const) {
    for (const [i, text] of result[operation].entries()) {
      const value = BigInt(text);
      const isSmall = module.limbs === undefined || value < 2n * p;
      if (!isSmall || mod(value - expected[operation][i]!, p) !== 0n)
        throw new Error(`${name}, ${operation}: element ${i} is ${text}`);
    }
  }
}

type Product = (x: bigint, y: bigint) => bigint;

function productModulo(r: bigint, p: bigint): Product {
  const factor = inverse(r, p);
  return (x, y) => mod(x * y * factor, p);
}

/** The additions of `contenders.ts`. Each lane of a call has its own prefix products. */
function additions(product: Product, a: readonly bigint[], b: readonly bigint[], elements: number): bigint[] {
  const forward = a.slice(0, elements);
  return a.map((x1, i) => {
    const y1 = b[i]!;
    const total = product(forward[i % elements]!, y1 - x1);
    forward[i % elements] = total;
    const slope = product(x1 - y1, product(total, y1 - x1));
    const x = product(slope, slope) - x1 - y1;
    return product(x1 - x, slope) - y1;
  });
}
