import { CURVES, type CurveId } from '../curves/index.js';
import { inverse, mod, power } from '../curves/modular.js';
import { rootOfDomain } from '../polynomials/domain.js';

/** What a verifier of PLONK or FFLONK evaluates itself: the domain's polynomials at xi. */
export interface DomainAtXi {
  /** xi^n. */
  readonly xiN: bigint;
  /** Z_H(xi) = xi^n - 1. */
  readonly zh: bigint;
  /** L_1(xi), the polynomial that is 1 at the domain's first element and 0 at the others. */
  readonly lagrange1: bigint;
  /** PI(xi) = -sum of the public signals x_i times L_i(xi). */
  readonly publicInput: bigint;
}

/**
 * Evaluates the domain of n elements at xi. undefined if xi is one of them: the constraints are divided by Z_H(xi), and
 * say nothing there.
 */
export function evaluateDomain(
  curve: CurveId,
  n: number,
  xi: bigint,
  publicSignals: readonly bigint[],
): DomainAtXi | undefined {
  const r = CURVES[curve].fr.modulus;
  const w = rootOfDomain(curve, n);
  const xiN = power(xi, BigInt(n), r);
  const zh = mod(xiN - 1n, r);
  if (zh === 0n) return undefined;
  // L_i(xi) = w^(i-1) (xi^n - 1) / (n (xi - w^(i-1))); the first is needed without public signals, too.
  const roots = [1n];
  while (roots.length < publicSignals.length) roots.push((roots.at(-1)! * w) % r);
  const denominators = inverses(
    roots.map((root) => BigInt(n) * mod(xi - root, r)),
    r,
  );
  const lagrange = roots.map((root, i) => (((root * zh) % r) * denominators[i]!) % r);
  const sum = publicSignals.reduce((total, signal, i) => total + signal * lagrange[i]!, 0n);
  return { xiN, zh, lagrange1: lagrange[0]!, publicInput: mod(-sum, r) };
}

/** The inverses of numbers that are not 0 modulo the prime m, with one inversion (Montgomery's trick). */
export function inverses(values: readonly bigint[], m: bigint): bigint[] {
  const products = [1n];
  for (const value of values) products.push((products.at(-1)! * value) % m);
  const inverted = new Array<bigint>(values.length);
  let rest = inverse(products.at(-1)!, m);
  for (let i = values.length - 1; i >= 0; i--) {
    inverted[i] = (rest * products[i]!) % m;
    rest = (rest * values[i]!) % m;
  }
  return inverted;
}
