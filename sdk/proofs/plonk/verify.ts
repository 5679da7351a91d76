import { record } from '../../base/records.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { mod } from '../../curves/modular.js';
import { parsePublicSignals } from '../../files/snarkjs/json-values.js';
import type { DomainOfKey } from '../../files/snarkjs/plonk-domain.js';
import {
  PLONK_COMMITMENTS,
  type PlonkCommitment,
  type PlonkProofParts,
  parsePlonkProof,
  parsePlonkVerificationKey,
} from '../../files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS, type PlonkPolynomial } from '../../files/snarkjs/plonk-zkey.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { type DomainAtXi, evaluateDomain } from '../lagrange.js';
import { claimHolds, type OpeningClaim } from '../opening-claim.js';
import type { PairingArithmetic } from '../pairings.js';
import { encodeAffine, expectMembers, finite, generator, ofKey } from '../verified-points.js';
import { roundFive, roundFour, roundThree, roundTwo, verifierChallenge } from './challenges.js';
import { linearisation } from './quotient.js';

/** The verifier's challenges. */
interface Challenges {
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly alpha: bigint;
  readonly xi: bigint;
  readonly v: bigint;
  readonly u: bigint;
}

/** A point of G1 that the verifier adds up: the key's, the proof's, or the generator. */
type Term = PlonkPolynomial | PlonkCommitment | 'G1';

/** A verification key whose points have been checked once, so that they are not checked again for every proof. */
export class PlonkVerifier {
  private constructor(
    readonly curve: CurveId,
    private readonly domain: DomainOfKey,
    private readonly key: Readonly<Record<PlonkPolynomial, Uint8Array>>,
    readonly X_2: Uint8Array,
    private readonly G1 = generator(curve, 'g1'),
  ) {}

  /**
   * `arithmetic` must belong to the key's curve (see `curveOfPlonkVerificationKey`).
   *
   * @param verificationKey in snarkjs' JSON form. `INVALID_POINT` for a point that is not on its curve or not in the
   * subgroup, and for infinity as X_2; otherwise the errors of `parsePlonkVerificationKey`.
   */
  static async create(arithmetic: PairingArithmetic, verificationKey: unknown): Promise<PlonkVerifier> {
    const { curve, commitments, X_2: tau, ...domain } = parsePlonkVerificationKey(verificationKey);
    const key = record(PLONK_POLYNOMIALS, (name) => ofKey(encodeAffine(curve, 'g1', commitments[name]), name));
    const X_2 = finite(ofKey(encodeAffine(curve, 'g2', tau), 'X_2'), 'X_2');
    await Promise.all([
      expectMembers(arithmetic, 'g1', Object.values(key), (i) => PLONK_POLYNOMIALS[i]!),
      expectMembers(arithmetic, 'g2', [X_2], () => 'X_2'),
    ]);
    return new PlonkVerifier(curve, domain, key, X_2);
  }

  /**
   * Whether a PLONK proof holds (2019/953, section 8.4), by one MSM and one product of two pairings. Signals and proof
   * are in snarkjs' JSON form.
   *
   * A proof does not hold if one of its points is not on its curve or not in the subgroup, if there are more or fewer
   * signals than the key requires, or if a signal or an evaluation is not from 0 to r - 1. Otherwise the errors of
   * `parsePublicSignals` and `parsePlonkProof`.
   */
  async verify(arithmetic: PairingArithmetic, publicSignals: unknown, proof: unknown): Promise<boolean> {
    const claim = this.read(publicSignals, proof);
    return claim !== undefined && claimHolds(arithmetic, this.curve, this.X_2, claim);
  }

  /**
   * What a proof claims, with points on whatever curve: e(opened, G2) = e(Wxi + u Wxiw, X_2). undefined if it does not
   * hold whatever its points are. Errors as for `verify`.
   */
  read(publicSignals: unknown, proof: unknown): OpeningClaim | undefined {
    const { curve, domain, key } = this;
    const signals = parsePublicSignals(publicSignals, curve);
    const parts = checkedProof(curve, proof);
    if (signals?.length !== domain.publicSignals || parts === undefined) return undefined;
    const { commitments } = parts;
    const challenges = challengesOf(curve, key, signals, parts);
    const atXi = evaluateDomain(curve, domain.domainSize, challenges.xi, signals);
    if (atXi === undefined) return undefined;
    const factors = factorsAtXi({ curve, domain }, challenges, parts, atXi);
    return {
      points: Object.values(commitments),
      opened: termsOf({ ...key, ...commitments, G1: this.G1 }, factors),
      quotient: [
        [commitments.Wxi, -1n],
        [commitments.Wxiw, -challenges.u],
      ],
    };
  }
}

function termsOf(
  points: Readonly<Record<Term, Uint8Array>>,
  factors: Readonly<Record<Term, bigint>>,
): (readonly [Uint8Array, bigint])[] {
  return (Object.keys(factors) as Term[]).map((name) => [points[name], factors[name]]);
}

/**
 * A proof in snarkjs' JSON form. undefined if a point is on no curve or an evaluation is not below r; otherwise the
 * errors of `parsePlonkProof`.
 */
function checkedProof(curve: CurveId, proof: unknown): PlonkProofParts | undefined {
  const { commitments: values, evaluations } = parsePlonkProof(proof, curve);
  const commitments = record(PLONK_COMMITMENTS, (name) => encodeAffine(curve, 'g1', values[name]));
  if (Object.values(commitments).includes(undefined)) return undefined;
  if (Object.values(evaluations).some((value) => value >= CURVES[curve].fr.modulus)) return undefined;
  return { commitments: commitments as PlonkProofParts['commitments'], evaluations };
}

function challengesOf(
  curve: CurveId,
  key: Readonly<Record<PlonkPolynomial, Uint8Array>>,
  publicSignals: readonly bigint[],
  { commitments, evaluations }: PlonkProofParts,
): Challenges {
  const permutation = roundTwo(curve, { key, publicSignals, commitments });
  const alpha = roundThree(curve, permutation, commitments);
  const xi = roundFour(curve, alpha, commitments);
  const v = roundFive(curve, xi, evaluations);
  return { ...permutation, alpha, xi, v, u: verifierChallenge(curve, commitments) };
}

/**
 * The factor of each point in the sum that is opened: [F] - [E] of the paper's steps 8 to 11, plus xi Wxi + u xi w Wxiw
 * of step 12. Integers, not reduced.
 */
function factorsAtXi(
  { curve, domain: { k1, k2, domainSize } }: { readonly curve: CurveId; readonly domain: DomainOfKey },
  { v, u, ...challenges }: Challenges,
  { evaluations }: PlonkProofParts,
  atXi: DomainAtXi,
): Readonly<Record<Term, bigint>> {
  const r = CURVES[curve].fr.modulus;
  const { beta, gamma, alpha, xi } = challenges;
  const { eval_a: a, eval_b: b, eval_c: c, eval_s1: s1, eval_s2: s2, eval_zw: zw } = evaluations;
  const linearised = linearisation(curve, { ...challenges, k1, k2 }, evaluations, atXi);
  const permuted = alpha * (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * (c + gamma) * zw;
  const r0 = atXi.publicInput - alpha * alpha * atXi.lagrange1 - permuted;
  return {
    ...linearised,
    S1: v ** 4n,
    S2: v ** 5n,
    A: v,
    B: v ** 2n,
    C: v ** 3n,
    Z: linearised.Z + u,
    Wxi: xi,
    Wxiw: u * xi * rootOfDomain(curve, domainSize),
    G1: mod(r0 - v * a - v ** 2n * b - v ** 3n * c - v ** 4n * s1 - v ** 5n * s2 - u * zw, r),
  };
}
