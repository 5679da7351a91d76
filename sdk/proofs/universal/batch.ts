import { joinBytes } from '../../base/bytes.js';
import { type BatchVerifier, randomWeights, sumOfProducts } from '../batch/batch-verifier.js';
import type { ClaimTerm, OpeningClaim } from '../opening-claim.js';
import { generator } from '../verified-points.js';
import type { UniversalVerifier } from './system.js';

/**
 * Many PLONK or FFLONK proofs by one product of two pairings: with weights w_i, e(sum w_i opened_i, G2) e(sum w_i
 * quotient_i, tau G2) = 1 (2019/953, section 8.4, on the batch of verifications). With all points in G1, wrong claims
 * add up to 1 for at most one value of a weight, whatever the others are, so with probability 1 / (2^128 - 1).
 */
export function openingsBatch(verifier: UniversalVerifier): BatchVerifier<OpeningClaim> {
  const { curve, X_2 } = verifier;
  return {
    curve,
    read: (publicSignals, proof) => verifier.read(publicSignals, proof),
    pointsOf: ({ points }) => points,
    verify: (arithmetic, publicSignals, proof) => verifier.verify(arithmetic, publicSignals, proof),

    async holdTogether(arithmetic, claims) {
      const weights = randomWeights(claims.length);
      const sums = await Promise.all(
        (['opened', 'quotient'] as const).map((part) =>
          sumOfProducts(
            arithmetic,
            curve,
            weighted(
              claims.map((claim) => claim[part]),
              weights,
            ),
          ),
        ),
      );
      return arithmetic.pairingProductIsOne({ g1: joinBytes(sums), g2: joinBytes([generator(curve, 'g2'), X_2]) });
    },
  };
}

/** The combination of linear combinations. Points that they share, such as the key's, are there once. */
function weighted(all: readonly (readonly ClaimTerm[])[], weights: readonly bigint[]): readonly ClaimTerm[] {
  const factors = new Map<Uint8Array, bigint>();
  for (const [i, terms] of all.entries()) {
    for (const [point, factor] of terms) factors.set(point, (factors.get(point) ?? 0n) + weights[i]! * factor);
  }
  return [...factors];
}
