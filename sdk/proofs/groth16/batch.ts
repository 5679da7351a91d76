import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { CURVES, pairingLambda, SCALAR_BYTES } from '../../curves/index.js';
import { mod } from '../../curves/modular.js';
import { type BatchArithmetic, type BatchVerifier, randomWeights, sumOfProducts } from '../batch/batch-verifier.js';
import type { Groth16Claim, Verifier } from './verify.js';

const HALF = 2n ** 64n;

/**
 * Many Groth16 proofs by one product of pairings: with weights w_i,
 *
 * prod e(w_i A_i, B_i) e(-(sum w_i) alpha, beta) e(-sum w_i input_i, gamma) e(-sum w_i C_i, delta) = 1,
 *
 * a pairing for each proof, three for all, and one final exponentiation. With all points in their subgroups, wrong
 * claims add up to 1 for at most one value of a weight, whatever the others are, so with probability 1 / (2^128 - 1)
 * (Bellare, Garay, Rabin, "Fast batch verification for modular exponentiation and digital signatures", EUROCRYPT 1998).
 * A weight is a + b lambda for random a and b of 64 bits, with lambda of the curve's endomorphism: such numbers are
 * different modulo r, and a point's multiple takes half of the doublings.
 */
export function groth16Batch(verifier: Verifier): BatchVerifier<Groth16Claim> {
  const { curve, alpha, g2 } = verifier;
  const r = CURVES[curve].fr.modulus;
  const lambda = pairingLambda(CURVES[curve]);
  if (lambda === undefined) throw new Error(`expected a pairing and an endomorphism on ${curve}`);
  const scalar = (value: bigint): Uint8Array => bigintToBytes(mod(value, r), SCALAR_BYTES);

  /** -sum w_i C_i, by two MSMs with scalars of 64 bits. */
  async function sumOfC(
    arithmetic: BatchArithmetic,
    claims: readonly Groth16Claim[],
    halves: readonly (readonly [bigint, bigint])[],
  ): Promise<Uint8Array> {
    const sums = await Promise.all(
      [0, 1].map((half) =>
        sumOfProducts(
          arithmetic,
          curve,
          claims.map(({ c }, i) => [c, halves[i]![half]!] as const),
        ),
      ),
    );
    return arithmetic.combine({
      group: 'g1',
      points: joinBytes(sums),
      scalars: joinBytes([scalar(-1n), scalar(-lambda!)]),
    });
  }

  return {
    curve,
    read: (publicSignals, proof) => verifier.read(publicSignals, proof),
    pointsOf: ({ a, c }) => [a, c],
    verify: (arithmetic, publicSignals, proof) => verifier.verify(arithmetic, publicSignals, proof),

    async holdTogether(arithmetic, claims) {
      const drawn = randomWeights(claims.length);
      const halves = drawn.map((weight) => [weight % HALF, weight / HALF] as const);
      const weights = halves.map(([a, b]) => a + b * lambda);
      const total = weights.reduce((sum, weight) => sum + weight, 0n);
      const folded = claims[0]!.signals.map((_, j) =>
        claims.reduce((sum, { signals }, i) => sum + weights[i]! * signals[j]!, 0n),
      );
      const [ofAlpha, input, c] = await Promise.all([
        arithmetic.combine({ group: 'g1', points: alpha, scalars: scalar(-total) }),
        verifier.inputOf(
          arithmetic,
          [total, ...folded].map((value) => mod(-value, r)),
        ),
        sumOfC(arithmetic, claims, halves),
      ]);
      return arithmetic.batchIsOne({
        g1: joinBytes([...claims.map(({ a }) => a), ofAlpha, input, c]),
        g2: joinBytes([...claims.map(({ b }) => b), ...g2]),
        weights: joinBytes([...drawn, 1n, 1n, 1n].map((weight) => bigintToBytes(weight, 16))),
      });
    },
  };
}
