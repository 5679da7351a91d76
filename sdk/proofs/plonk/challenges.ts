import type { CurveId } from '../../curves/index.js';
import { PLONK_EVALUATIONS, type PlonkCommitment, type PlonkEvaluation } from '../../files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS, type PlonkPolynomial } from '../../files/snarkjs/plonk-zkey.js';
import { Transcript } from '../transcript.js';
import type { PermutationChallenges } from '../universal/constraints.js';

/**
 * The challenges of PLONK, round by round, as prover and verifier derive them (Gabizon, Williamson, Ciobotaru, "PLONK:
 * Permutations over Lagrange-bases for Oecumenical Noninteractive arguments of Knowledge", 2019/953, section 8.3). The
 * order of what is hashed is snarkjs': the paper's transcript grows, while snarkjs begins each challenge with the ones
 * before it instead. Points are affine in the boundary form.
 */
type Commitments<Name extends PlonkCommitment> = Readonly<Record<Name, Uint8Array>>;

/** What the prover of round 2 has committed to, and to whom. */
export interface RoundOne {
  /** The key's commitments. */
  readonly key: Readonly<Record<PlonkPolynomial, Uint8Array>>;
  readonly publicSignals: readonly bigint[];
  readonly commitments: Commitments<'A' | 'B' | 'C'>;
}

/** beta and gamma, with which round 2 makes the permutation's grand product. */
export function roundTwo(curve: CurveId, { key, publicSignals, commitments }: RoundOne): PermutationChallenges {
  const transcript = new Transcript(curve);
  for (const name of PLONK_POLYNOMIALS) transcript.point(key[name]);
  for (const signal of publicSignals) transcript.scalar(signal);
  const { A, B, C } = commitments;
  const beta = transcript.point(A).point(B).point(C).challenge();
  return { beta, gamma: transcript.scalar(beta).challenge() };
}

/** alpha, with which round 3 combines the constraints to the quotient. */
export function roundThree(curve: CurveId, { beta, gamma }: PermutationChallenges, { Z }: Commitments<'Z'>): bigint {
  return new Transcript(curve).scalar(beta).scalar(gamma).point(Z).challenge();
}

/** xi, the point at which round 4 evaluates. */
export function roundFour(curve: CurveId, alpha: bigint, { T1, T2, T3 }: Commitments<'T1' | 'T2' | 'T3'>): bigint {
  return new Transcript(curve).scalar(alpha).point(T1).point(T2).point(T3).challenge();
}

/** v, whose powers combine the polynomials that round 5 opens at xi. */
export function roundFive(curve: CurveId, xi: bigint, evaluations: Readonly<Record<PlonkEvaluation, bigint>>): bigint {
  const transcript = new Transcript(curve).scalar(xi);
  for (const name of PLONK_EVALUATIONS) transcript.scalar(evaluations[name]);
  return transcript.challenge();
}

/** u, with which the verifier combines the openings at xi and xi w. */
export function verifierChallenge(curve: CurveId, { Wxi, Wxiw }: Commitments<'Wxi' | 'Wxiw'>): bigint {
  return new Transcript(curve).point(Wxi).point(Wxiw).challenge();
}
