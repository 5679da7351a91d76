import { record } from '../../base/records.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import {
  FFLONK_COMMITMENTS,
  type FflonkProofParts,
  parseFflonkProof,
  parseFflonkVerificationKey,
} from '../../files/snarkjs/fflonk-json.js';
import { parsePublicSignals } from '../../files/snarkjs/json-values.js';
import type { DomainOfKey } from '../../files/snarkjs/plonk-domain.js';
import { evaluateDomain } from '../lagrange.js';
import { claimHolds, type OpeningClaim } from '../opening-claim.js';
import type { PairingArithmetic } from '../pairings.js';
import type { PermutationChallenges } from '../universal/constraints.js';
import { encodeAffine, expectMembers, finite, generator, ofKey } from '../verified-points.js';
import {
  fflonkCombinationChallenge,
  fflonkEvaluationPoint,
  fflonkOpeningPoint,
  fflonkPermutationChallenges,
} from './challenges.js';
import { type OpeningPoints, openingSets } from './remainders.js';

/** The verifier's challenges. */
type FflonkChallenges = PermutationChallenges & OpeningPoints & { readonly alpha: bigint };

/** A verification key whose points have been checked once, so that they are not checked again for every proof. */
export class FflonkVerifier {
  private constructor(
    readonly curve: CurveId,
    private readonly domain: DomainOfKey,
    private readonly C0: Uint8Array,
    readonly X_2: Uint8Array,
    private readonly G1 = generator(curve, 'g1'),
  ) {}

  /**
   * `arithmetic` must belong to the key's curve (see `curveOfFflonkVerificationKey`).
   *
   * @param verificationKey in snarkjs' JSON form. `INVALID_POINT` for a point that is not on its curve or not in the
   * subgroup, and for infinity as X_2; otherwise the errors of `parseFflonkVerificationKey`.
   */
  static async create(arithmetic: PairingArithmetic, verificationKey: unknown): Promise<FflonkVerifier> {
    const { curve, C0: committed, X_2: tau, ...domain } = parseFflonkVerificationKey(verificationKey);
    const C0 = ofKey(encodeAffine(curve, 'g1', committed), 'C0');
    const X_2 = finite(ofKey(encodeAffine(curve, 'g2', tau), 'X_2'), 'X_2');
    await Promise.all([
      expectMembers(arithmetic, 'g1', [C0], () => 'C0'),
      expectMembers(arithmetic, 'g2', [X_2], () => 'X_2'),
    ]);
    return new FflonkVerifier(curve, domain, C0, X_2);
  }

  /**
   * Whether an FFLONK proof holds (2021/1167, section 7, with the opening of many polynomials in many points of
   * 2020/081, section 4), by one MSM and one product of two pairings. Signals and proof are in snarkjs' JSON form.
   *
   * A proof does not hold if one of its points is not on its curve or not in the subgroup, if there are more or fewer
   * signals than the key requires, if a signal or an evaluation is not from 0 to r - 1, or if a challenge falls on a
   * point where the verifier would divide by 0. Otherwise the errors of `parsePublicSignals` and `parseFflonkProof`.
   */
  async verify(arithmetic: PairingArithmetic, publicSignals: unknown, proof: unknown): Promise<boolean> {
    const claim = this.read(publicSignals, proof);
    return claim !== undefined && claimHolds(arithmetic, this.curve, this.X_2, claim);
  }

  /**
   * What a proof claims, with points on whatever curve: e(-opened, G2) e(W2, X_2) = 1. undefined if it does not hold
   * whatever its points are. Errors as for `verify`.
   */
  read(publicSignals: unknown, proof: unknown): OpeningClaim | undefined {
    const { curve, domain, C0 } = this;
    const signals = parsePublicSignals(publicSignals, curve);
    const parts = checkedProof(curve, proof);
    if (signals?.length !== domain.publicSignals || parts === undefined) return undefined;
    const { commitments, evaluations } = parts;
    const challenges = challengesOf(curve, C0, signals, parts);
    const atXi = evaluateDomain(curve, domain.domainSize, challenges.xi, signals);
    const sets = atXi && openingSets({ curve, domain }, challenges, evaluations, atXi);
    if (sets === undefined) return undefined;

    const [z0, z1, z2] = sets.vanishing;
    const [r0, r1, r2] = sets.remainders;
    const { modulus } = CURVES[curve].fr;
    const { alpha, y } = challenges;
    const factor1 = (alpha * z0 * inverse(z1, modulus)) % modulus;
    const factor2 = (alpha * alpha * z0 * inverse(z2, modulus)) % modulus;
    const { C1, C2, W1, W2 } = commitments;
    return {
      points: Object.values(commitments),
      opened: [
        [C0, -1n],
        [C1, -factor1],
        [C2, -factor2],
        [this.G1, r0 + factor1 * r1 + factor2 * r2],
        [W1, z0],
        [W2, -y],
      ],
      quotient: [[W2, 1n]],
    };
  }
}

/**
 * A proof in snarkjs' JSON form. undefined if a point is on no curve or an evaluation is not below r; otherwise the
 * errors of `parseFflonkProof`.
 */
function checkedProof(curve: CurveId, proof: unknown): FflonkProofParts | undefined {
  const { commitments: values, evaluations } = parseFflonkProof(proof, curve);
  const commitments = record(FFLONK_COMMITMENTS, (name) => encodeAffine(curve, 'g1', values[name]));
  if (Object.values(commitments).includes(undefined)) return undefined;
  if (Object.values(evaluations).some((value) => value >= CURVES[curve].fr.modulus)) return undefined;
  return { commitments: commitments as FflonkProofParts['commitments'], evaluations };
}

/** All challenges of a proof, whose points are affine in the boundary form. */
function challengesOf(
  curve: CurveId,
  C0: Uint8Array,
  publicSignals: readonly bigint[],
  { commitments, evaluations }: FflonkProofParts,
): FflonkChallenges {
  const permutation = fflonkPermutationChallenges(curve, { C0, publicSignals, commitments });
  const point = fflonkEvaluationPoint(curve, permutation.gamma, commitments);
  const alpha = fflonkCombinationChallenge(curve, point, evaluations);
  return { ...permutation, xi: point.xi, alpha, y: fflonkOpeningPoint(curve, alpha, commitments) };
}
