import { CURVES, type CurveId } from '../../curves/index.js';
import { mod } from '../../curves/modular.js';
import type { PlonkEvaluation } from '../../files/snarkjs/plonk-json.js';
import type { PlonkPolynomial } from '../../files/snarkjs/plonk-zkey.js';
import { Expression } from '../../polynomials/expression.js';
import type { Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import type { DomainAtXi } from '../lagrange.js';
import { gates, type PermutationChallenges, permutationFactor, type WireCosets } from '../universal/constraints.js';
import type { KeyPolynomials } from '../universal/key-polynomials.js';
import { type NumeratorOn, quotient } from '../universal/quotient.js';

/** The challenges of rounds 2 and 3, and the factors of the wires' cosets. */
interface QuotientChallenges extends PermutationChallenges, WireCosets {
  readonly alpha: bigint;
}

/** The coefficients of the proof's polynomials, the wires and z blinded. */
interface ProofPolynomials {
  readonly a: Vector;
  readonly b: Vector;
  readonly c: Vector;
  readonly z: Vector;
  /** PI, whose value at w^i is the negative of public signal i, and 0 elsewhere. */
  readonly publicInputs: Vector;
}

/** The degree of t is 3 n + 5. */
const COSETS = 4;

/**
 * The quotient polynomial t (2019/953, round 3) in four parts of n coefficients; see `quotient`. The caller releases
 * them.
 */
export function quotientPolynomial(
  key: KeyPolynomials,
  { a, b, c, z, publicInputs }: ProofPolynomials,
  challenges: QuotientChallenges,
  call: VectorCall & { readonly onProgress?: ((fraction: number) => void) | undefined },
): Promise<Vector[]> {
  const { on, points } = key;
  const numeratorOn: NumeratorOn = async (k, { polynomials, lagrange }) => {
    const coset = key.cosets[k]!;
    const scope = new VectorScope();
    const valuesOf = (coefficients: Vector): Promise<Vector> => scope.add(on.ntt(coefficients, coset, call));
    try {
      const wires = await Promise.all([a, b, c, z, publicInputs].map(valuesOf));
      const next = await scope.add(on.rotate(wires[3]!, 1));
      const { Qm, Ql, Qr, Qo, Qc, S1, S2, S3 } = polynomials;
      const operands = [...wires, next, Qm, Ql, Qr, Qo, Qc, S1, S2, S3, lagrange, points];
      return await on.compute(numerator(challenges, coset.shift), operands, call);
    } finally {
      scope.end();
    }
  };
  return quotient(key, COSETS, numeratorOn, call);
}

/**
 * The gates, plus alpha times the permutation argument, plus alpha^2 (z - 1) L_1. The operands come in the order of
 * `quotientPolynomial`; a point of the coset is the domain's times the shift.
 */
function numerator({ alpha, k1, k2, ...permutation }: QuotientChallenges, shift: bigint): Expression {
  const operands = Expression.operands(16);
  const [a, b, c, z, pi, next] = operands as [Expression, Expression, Expression, Expression, Expression, Expression];
  const [s1, s2, s3, lagrange, point] = operands.slice(11) as [
    Expression,
    Expression,
    Expression,
    Expression,
    Expression,
  ];
  const x = point.times(shift);
  const own = permutationFactor([a, b, c], [x, x.times(k1), x.times(k2)], permutation).times(z);
  const connected = permutationFactor([a, b, c], [s1, s2, s3], permutation).times(next);
  const first = z.minus(1n).times(lagrange).times(alpha);
  return gates([a, b, c], operands.slice(6, 11), pi).plus(own.minus(connected).plus(first).times(alpha));
}

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
