import { CURVES, type CurveId } from '../../../curves/index.js';
import { inverse, power } from '../../../curves/modular.js';
import { kernelR } from './scalar-field.js';

/** The indices of the constants for the two element-wise products: on the domain, and on the coset. */
export const DOMAIN_FACTOR = 0;
export const COSET_FACTOR = 1;

/** The factor by which snarkjs multiplies the coefficients. */
const SECTION_FACTOR = 1n << 512n;

/**
 * The constants by which the two element-wise products are multiplied, in this order, for a domain of n elements.
 *
 * The quotient's vectors are not in Montgomery form. The rows are L a and L b with L = 2^512 / R, because a Montgomery
 * product divides by R. The inverse NTTs do not divide by n. With f for the first constant, the values on the coset are
 * n L A, n L B and n L^2 f C / R^2. The second element-wise product divides by R: n^2 L^2 A B / R. Both have the same
 * factor if f = n R. The second constant g removes it: n^2 L^2 g / R^2 = 1.
 */
export function quotientFactors(curve: CurveId, domainSize: number): readonly [bigint, bigint] {
  const { modulus } = CURVES[curve].fr;
  const r = kernelR(curve);
  const n = BigInt(domainSize);
  const l = SECTION_FACTOR * inverse(r, modulus);
  return [(n * r) % modulus, power(r * inverse(n * l, modulus), 2n, modulus)];
}
