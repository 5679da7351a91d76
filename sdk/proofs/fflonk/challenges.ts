import { CURVES, type CurveId } from '../../curves/index.js';
import { power } from '../../curves/modular.js';
import { FFLONK_EVALUATIONS, type FflonkCommitment, type FflonkEvaluation } from '../../files/snarkjs/fflonk-json.js';
import { Transcript } from '../transcript.js';
import type { PermutationChallenges } from '../universal/constraints.js';

/**
 * The challenges of FFLONK, round by round, as prover and verifier derive them (Gabizon, Williamson, "fflonk: a
 * Fast-Fourier inspired verifier efficient version of PlonK", 2021/1167, section 7). The order of what is hashed is
 * snarkjs', which begins each challenge with the ones before it. Points are affine in the boundary form.
 */
type Commitments<Name extends FflonkCommitment> = Readonly<Record<Name, Uint8Array>>;

/** What the prover of round 2 has committed to, and to whom. */
export interface FflonkRoundOne {
  /** The key's commitment. */
  readonly C0: Uint8Array;
  readonly publicSignals: readonly bigint[];
  readonly commitments: Commitments<'C1'>;
}

/** Where the polynomials are evaluated. */
export interface EvaluationPoint {
  /** What the transcript gives. Its powers s^3, s^6 and s^8 are roots of xi of order 8, 4 and 3. */
  readonly xiSeed: bigint;
  /** s^24. */
  readonly xi: bigint;
}

/** beta and gamma, with which round 2 makes the permutation's grand product. */
export function fflonkPermutationChallenges(
  curve: CurveId,
  { C0, publicSignals, commitments }: FflonkRoundOne,
): PermutationChallenges {
  const transcript = new Transcript(curve).point(C0);
  for (const signal of publicSignals) transcript.scalar(signal);
  const beta = transcript.point(commitments.C1).challenge();
  return { beta, gamma: transcript.scalar(beta).challenge() };
}

/** xi, the point at which round 3 evaluates. */
export function fflonkEvaluationPoint(curve: CurveId, gamma: bigint, { C2 }: Commitments<'C2'>): EvaluationPoint {
  const xiSeed = new Transcript(curve).scalar(gamma).point(C2).challenge();
  return { xiSeed, xi: power(xiSeed, 24n, CURVES[curve].fr.modulus) };
}

/** alpha, whose powers combine C0, C1 and C2 in round 4. */
export function fflonkCombinationChallenge(
  curve: CurveId,
  { xiSeed }: EvaluationPoint,
  evaluations: Readonly<Record<FflonkEvaluation, bigint>>,
): bigint {
  const transcript = new Transcript(curve).scalar(xiSeed);
  for (const name of FFLONK_EVALUATIONS) transcript.scalar(evaluations[name]);
  return transcript.challenge();
}

/** y, the point at which round 5 opens the combination. */
export function fflonkOpeningPoint(curve: CurveId, alpha: bigint, { W1 }: Commitments<'W1'>): bigint {
  return new Transcript(curve).scalar(alpha).point(W1).challenge();
}
