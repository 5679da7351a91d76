import { Expression } from '../../polynomials/expression.js';
import type { Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import { gates, type PermutationChallenges, permutationFactor, type WireCosets } from '../universal/constraints.js';
import type { KeyPolynomials, ValuesOnCoset } from '../universal/key-polynomials.js';
import { quotient } from '../universal/quotient.js';

/** A call that reports the fraction done. */
type QuotientCall = VectorCall & { readonly onProgress?: ((fraction: number) => void) | undefined };

/** Cosets that determine each quotient: the degrees are below 2 n - 2, n + 2 and 3 n. */
const COSETS = { gates: 2, firstValue: 2, permutation: 3 } as const;

/** t_0, the quotient of the gates, with 2 n coefficients. @param of the coefficients of a, b, c and PI. */
export function gatesQuotient(
  key: KeyPolynomials,
  of: readonly [a: Vector, b: Vector, c: Vector, publicInputs: Vector],
  call: QuotientCall,
): Promise<Vector> {
  const operands = Expression.operands(9);
  const [a, b, c, pi] = operands as [Expression, Expression, Expression, Expression];
  const numerator = gates([a, b, c], operands.slice(4), pi);
  return whole(key, COSETS.gates, of, call, (values, { polynomials: { Qm, Ql, Qr, Qo, Qc } }) =>
    key.on.compute(numerator, [...values, Qm, Ql, Qr, Qo, Qc], call),
  );
}

/** t_1, the quotient of (z - 1) L_1, with 2 n coefficients. */
export function firstValueQuotient(key: KeyPolynomials, z: Vector, call: QuotientCall): Promise<Vector> {
  const [value, lagrange] = Expression.operands(2) as [Expression, Expression];
  const numerator = value.minus(1n).times(lagrange);
  return whole(key, COSETS.firstValue, [z], call, (values, onCoset) =>
    key.on.compute(numerator, [...values, onCoset.lagrange], call),
  );
}

/**
 * t_2, the quotient of the grand product's recurrence, with 3 n coefficients. @param of the coefficients of a, b, c, z.
 */
export function permutationQuotient(
  key: KeyPolynomials,
  of: readonly [a: Vector, b: Vector, c: Vector, z: Vector],
  challenges: PermutationChallenges,
  { k1, k2 }: WireCosets,
  call: QuotientCall,
): Promise<Vector> {
  const { on, points } = key;
  const [a, b, c, z, next] = Expression.operands(9) as [Expression, Expression, Expression, Expression, Expression];
  const [s1, s2, s3, point] = Expression.operands(9).slice(5) as [Expression, Expression, Expression, Expression];
  return whole(key, COSETS.permutation, of, call, async (values, { polynomials: { S1, S2, S3 } }, shift) => {
    const x = point.times(shift);
    const own = permutationFactor([a, b, c], [x, x.times(k1), x.times(k2)], challenges).times(z);
    const connected = permutationFactor([a, b, c], [s1, s2, s3], challenges).times(next);
    const rotated = await on.rotate(values[3]!, 1);
    try {
      return await on.compute(own.minus(connected), [...values, rotated, S1, S2, S3, points], call);
    } finally {
      rotated.release();
    }
  });
}

/** A quotient as one vector, from polynomials whose values on each coset `numeratorOf` takes. */
async function whole(
  key: KeyPolynomials,
  cosets: number,
  polynomials: readonly Vector[],
  call: QuotientCall,
  numeratorOf: (values: readonly Vector[], onCoset: ValuesOnCoset, shift: bigint) => Promise<Vector>,
): Promise<Vector> {
  const { on } = key;
  const parts = await quotient(
    key,
    cosets,
    async (k, onCoset) => {
      const scope = new VectorScope();
      const coset = key.cosets[k]!;
      try {
        const values = await Promise.all(polynomials.map((polynomial) => scope.add(on.ntt(polynomial, coset, call))));
        return await numeratorOf(values, onCoset, coset.shift);
      } finally {
        scope.end();
      }
    },
    call,
  );
  try {
    return await on.concatenate(parts);
  } finally {
    for (const part of parts) part.release();
  }
}
