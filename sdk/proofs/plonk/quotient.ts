import { Expression } from '../../polynomials/expression.js';
import type { Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import { gates, type PermutationChallenges, permutationFactor, type WireCosets } from '../universal/constraints.js';
import type { KeyPolynomials } from '../universal/key-polynomials.js';
import { type NumeratorOn, quotient } from '../universal/quotient.js';

/** The challenges of rounds 2 and 3, and the factors of the wires' cosets. */
export interface QuotientChallenges extends PermutationChallenges, WireCosets {
  readonly alpha: bigint;
}

/** The coefficients of the proof's polynomials, the wires and z blinded. */
export interface ProofPolynomials {
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
