import { PippinError } from '../base/errors.js';
import { CURVES, type CurveId } from '../curves/index.js';
import { mod, power } from '../curves/modular.js';
import { rootOfUnity } from '../curves/root-of-unity.js';

/**
 * The points s w^i, i from 0 to size - 1, at which a polynomial over a curve's scalar field Fr is known by its values.
 * The size is n = 2^k, w is `rootOfDomain(curve, n)`, and s, the shift, is not 0. With the shift 1 it is the domain
 * itself: the n-th roots of unity.
 */
export interface Coset {
  readonly size: number;
  readonly shift: bigint;
}

/**
 * The coset of 2^k points; `INVALID_ARGUMENT` unless k is from 0 to the field's two-adicity and the shift is not 0
 * modulo r.
 */
export function cosetOf(curve: CurveId, size: number, shift = 1n): Coset {
  const { modulus, twoAdicity } = CURVES[curve].fr;
  const k = Math.log2(size);
  if (!Number.isInteger(k) || k < 0 || k > twoAdicity) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected a domain of 2^k elements with k from 0 to ${twoAdicity}, got ${size}`,
    );
  }
  const reduced = mod(shift, modulus);
  if (reduced === 0n) throw new PippinError('INVALID_ARGUMENT', 'expected a shift other than 0, got 0');
  return { size, shift: reduced };
}

/**
 * The primitive n-th root of unity, n = 2^k: the choice of snarkjs' ceremonies. The root of order n is the square of
 * the root of order 2 n.
 */
export function rootOfDomain(curve: CurveId, size: number): bigint {
  const { fr } = CURVES[curve];
  return power(rootOfUnity(fr), 2n ** BigInt(fr.twoAdicity) / BigInt(size), fr.modulus);
}

/**
 * The domain of n elements shifted by the primitive 2n-th root of unity: its points are the odd powers of that root,
 * where X^n = -1.
 */
export function oddCoset(curve: CurveId, size: number): Coset {
  return cosetOf(curve, size, rootOfDomain(curve, cosetOf(curve, 2 * size).size));
}
