import { CURVES, type CurveId } from '../../curves/index.js';
import type { Polynomials, Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import { Transcript } from '../transcript.js';

/** What combines several polynomials: the challenge itself, or the commitments that it is derived from. */
export interface Combination {
  readonly challenge: bigint | undefined;
  /** As many as polynomials, unless there is a challenge. */
  readonly commitments: readonly Uint8Array[];
}

/** Polynomials that are opened at one point. */
interface OpenedPolynomials {
  /** Their coefficients, at least one vector. They stay as they are. */
  readonly polynomials: readonly Vector[];
  /** z, from 0 to r - 1. */
  readonly point: bigint;
  /** Needed for more than one polynomial. */
  readonly combination: Combination | undefined;
}

/**
 * The values of polynomials p_i at z, and the quotient (p(X) - p(z)) / (X - z) of p = p_0 + gamma p_1 + gamma^2 p_2 +
 * ..: the commitment to it proves all values (Kate, Zaverucha, Goldberg 2010, section 3.2; Gabizon, Williamson,
 * Ciobotaru, https://eprint.iacr.org/2019/953, section 3.1). The caller releases the quotient.
 */
export async function openAt(
  on: Polynomials,
  { polynomials, point, combination }: OpenedPolynomials,
  call: VectorCall = {},
): Promise<{ readonly values: bigint[]; readonly quotient: Vector }> {
  const [first] = polynomials;
  if (polynomials.length === 1 && combination === undefined) {
    const { quotient, remainder } = await on.divideByBinomial(first!, point, call);
    return { values: [(await remainder)[0]!], quotient };
  }
  const values = await Promise.all(polynomials.map((polynomial) => on.evaluate(polynomial, point, call)));
  const { challenge, commitments } = combination!;
  const gamma = challenge ?? batchChallenge(on.curve, commitments, point, values);
  const scope = new VectorScope();
  try {
    const factors = powersOf(gamma, polynomials.length, CURVES[on.curve].fr.modulus);
    const terms = polynomials.map((vector, i) => ({ vector, factor: factors[i]! }));
    const combined = await scope.add(on.linearCombination(terms, call));
    const { quotient } = await on.divideByBinomial(combined, point, call);
    return { values, quotient };
  } finally {
    scope.end();
  }
}

/** 1, x, x^2, .. modulo r. */
export function powersOf(x: bigint, count: number, modulus: bigint): bigint[] {
  const powers: bigint[] = [];
  for (let power = 1n; powers.length < count; power = (power * x) % modulus) powers.push(power);
  return powers;
}

/**
 * The challenge gamma that combines k openings at one point z, by the Fiat-Shamir transform: the hash of k, z, the k
 * commitments and the k values (see `Transcript`). The number comes first, so that no two statements hash the same
 * bytes.
 *
 * @param commitments affine points of G1 in the boundary form.
 * @param values from 0 to r - 1.
 */
export function batchChallenge(
  curve: CurveId,
  commitments: readonly Uint8Array[],
  point: bigint,
  values: readonly bigint[],
): bigint {
  const transcript = new Transcript(curve).scalar(BigInt(commitments.length)).scalar(point);
  for (const commitment of commitments) transcript.point(commitment);
  for (const value of values) transcript.scalar(value);
  return transcript.challenge();
}
