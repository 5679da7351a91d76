import { CURVES, type CurveId } from '../../../curves/index.js';
import { inverse, power } from '../../../curves/modular.js';
import { kernelR } from './scalar-field.js';

/** The numbers of the factors of the two products of vectors: on the domain, and on the coset. */
export const DOMAIN_FACTOR = 0;
export const COSET_FACTOR = 1;

/** What snarkjs multiplies the coefficients by. */
const SECTION_FACTOR = 1n << 512n;

/**
 * The constants by which the two products of vectors are multiplied, in this order, for a domain of n elements.
 *
 * No element of the quotient's vectors is in Montgomery form. The rows come out as L a and L b with L = 2^512 / R, because a product
 * divides by R. The inverse transforms do not divide by n. With f for the first constant, the vectors' values on the coset are n L A, n L B
 * and n L^2 f C / R^2. The second product of vectors divides by R: n^2 L^2 A B / R. Both have the same factor if f = n R. The second
 * constant g takes it away: n^2 L^2 g / R^2 = 1.
 */
export function quotientFactors(curve: CurveId, domainSize: number): readonly [bigint, bigint] {
  const { modulus } = CURVES[curve].fr;
  const r = kernelR(curve);
  const n = BigInt(domainSize);
  const l = SECTION_FACTOR * inverse(r, modulus);
  return [(n * r) % modulus, power(r * inverse(n * l, modulus), 2n, modulus)];
}
