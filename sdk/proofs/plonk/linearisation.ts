import { CURVES, type CurveId } from '../../curves/index.js';
import { mod } from '../../curves/modular.js';
import type { PlonkEvaluation } from '../../files/snarkjs/plonk-json.js';
import type { PlonkPolynomial } from '../../files/snarkjs/plonk-zkey.js';
import type { DomainAtXi } from '../lagrange.js';
import type { QuotientChallenges } from './quotient.js';

/** The polynomials of which the linearisation is a linear combination, by their commitments' names. */
export type LinearisedPolynomial = Exclude<PlonkPolynomial, 'S1' | 'S2'> | 'Z' | 'T1' | 'T2' | 'T3';

/**
 * The factors of the linearisation r(X) without its constant term (2019/953, round 5): the sum of the constraints with
 * all polynomials but one of each product replaced by their values at xi, minus (xi^n - 1) t(X). The verifier combines
 * the commitments in the same way. They are below r.
 */
export function linearisation(
  curve: CurveId,
  { alpha, beta, gamma, k1, k2, xi }: QuotientChallenges & { readonly xi: bigint },
  { eval_a: a, eval_b: b, eval_c: c, eval_s1, eval_s2, eval_zw }: Readonly<Record<PlonkEvaluation, bigint>>,
  { xiN, zh, lagrange1 }: DomainAtXi,
): Readonly<Record<LinearisedPolynomial, bigint>> {
  const { modulus: r } = CURVES[curve].fr;
  const own = (a + beta * xi + gamma) * (b + beta * k1 * xi + gamma) * (c + beta * k2 * xi + gamma);
  const connected = (a + beta * eval_s1 + gamma) * (b + beta * eval_s2 + gamma) * beta * eval_zw;
  return {
    Qm: mod(a * b, r),
    Ql: a,
    Qr: b,
    Qo: c,
    Qc: 1n,
    Z: mod(alpha * own + alpha * alpha * lagrange1, r),
    S3: mod(-alpha * connected, r),
    T1: mod(-zh, r),
    T2: mod(-zh * xiN, r),
    T3: mod(-zh * xiN * xiN, r),
  };
}
