import { CURVES, type CurveId } from '../../curves/index.js';
import { inverse, mod } from '../../curves/modular.js';
import type { FflonkEvaluation } from '../../files/snarkjs/fflonk-json.js';
import type { DomainOfKey } from '../../files/snarkjs/plonk-domain.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import type { DomainAtXi } from '../lagrange.js';
import type { PermutationChallenges } from '../universal/constraints.js';

/**
 * What the verifier knows at y of the three opening sets (2021/1167, section 7): S0, the eighth roots of xi, where C0
 * is opened; S1, its fourth roots, for C1; S2, the cube roots of xi and of xi w, for C2.
 */
export interface OpeningSets {
  /** Z_S(y), the product of y - x over the set: y^8 - xi, y^4 - xi, (y^3 - xi) (y^3 - xi w). */
  readonly vanishing: readonly [bigint, bigint, bigint];
  /** r(y), where r is the polynomial of least degree with the values of C0, C1 or C2 on the set. */
  readonly remainders: readonly [bigint, bigint, bigint];
}

/** Where a proof is opened. */
export interface OpeningPoints {
  readonly xi: bigint;
  readonly y: bigint;
}

/**
 * The opening sets at y. undefined if y is in S1 or S2 or if xi is 0, where the verifier would divide by 0.
 *
 * The polynomials in C0(X) = sum X^j f_j(X^8) have the values f_j(xi) on all of S0, so r0 is the polynomial with these
 * values as coefficients; likewise r1. r2 is such a polynomial modulo X^3 - xi and another one modulo X^3 - xi w, which
 * the Chinese remainder theorem joins.
 */
export function openingSets(
  { curve, domain }: { readonly curve: CurveId; readonly domain: DomainOfKey },
  challenges: PermutationChallenges & OpeningPoints,
  evaluations: Readonly<Record<FflonkEvaluation, bigint>>,
  atXi: DomainAtXi,
): OpeningSets | undefined {
  const r = CURVES[curve].fr.modulus;
  const { xi, y } = challenges;
  const xiw = (xi * rootOfDomain(curve, domain.domainSize)) % r;
  const y3 = mod(y * y * y, r);
  const [atRoots, atShifted] = [mod(y3 - xi, r), mod(y3 - xiw, r)];
  const vanishing = [mod(y3 * y3 * y * y - xi, r), mod(y3 * y - xi, r), (atRoots * atShifted) % r] as const;
  if (vanishing[1] === 0n || vanishing[2] === 0n || xi === 0n) return undefined;

  const { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, zw, t1w, t2w } = evaluations;
  const { t0, t1, t2 } = quotients(r, domain, challenges, evaluations, atXi);
  const at = (...coefficients: bigint[]): bigint =>
    coefficients.reduceRight((value, coefficient) => mod(value * y + coefficient, r), 0n);
  const joined = at(z, t1, t2) * atShifted - at(zw, t1w, t2w) * atRoots;
  const remainders = [
    at(ql, qr, qo, qm, qc, s1, s2, s3),
    at(a, b, c, t0),
    mod(joined * inverse(xi - xiw, r), r),
  ] as const;
  return { vanishing, remainders };
}

/** The quotients at xi: of the gates (T0), of the grand product's first value (T1) and of its steps (T2). */
function quotients(
  r: bigint,
  { k1, k2 }: DomainOfKey,
  { beta, gamma, xi }: PermutationChallenges & OpeningPoints,
  { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, zw }: Readonly<Record<FflonkEvaluation, bigint>>,
  { zh, lagrange1, publicInput }: DomainAtXi,
): { readonly t0: bigint; readonly t1: bigint; readonly t2: bigint } {
  const inverseZh = inverse(zh, r);
  const product = (...values: bigint[]): bigint => values.reduce((all, value) => mod(all * value, r), 1n);
  const gates = ql * a + qr * b + qm * a * b + qo * c + qc + publicInput;
  const steps =
    product(a + beta * xi + gamma, b + beta * k1 * xi + gamma, c + beta * k2 * xi + gamma, z) -
    product(a + beta * s1 + gamma, b + beta * s2 + gamma, c + beta * s3 + gamma, zw);
  return {
    t0: product(gates, inverseZh),
    t1: product(lagrange1, z - 1n, inverseZh),
    t2: product(steps, inverseZh),
  };
}
