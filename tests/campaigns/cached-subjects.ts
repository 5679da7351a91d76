import type { Prover } from '../../sdk/api/index.js';
import { bls12377, bn254, type Curve } from '../../sdk/curves/index.js';
import { chainOver } from '../support/circuits.js';
import { dot, encodePoints, encodeScalars, multipleOf, pointOfOrderTwo, progression } from '../support/points.js';
import type { Random } from '../support/random.js';
import type { Tier } from './campaign.js';

export interface UseOfCache {
  /** Whether the points came from the cache. */
  readonly cached: boolean;
  readonly isRight: boolean;
}

/** Something whose points the cache keeps. */
export interface CachedSubject {
  /** What the names of its records, and of none of the others, have in them. */
  readonly plan: string;
  /** Loads it, uses it, and disposes of it. Rejects if there is no result, or a proof that does not hold. */
  use(prover: Prover, precompute: number, random: Random): Promise<UseOfCache>;
}

/** Keys, and bases with and without points that no record holds. */
export async function cachedSubjects(tier: Tier): Promise<readonly CachedSubject[]> {
  const plain = progression(bn254, 40, 3n, 5n);
  const onGpu = [await keyOver('bn254'), basesOf(bn254, plain.points, plain.factors)];
  if (tier === 'webgpu') return onGpu;
  const few = progression(bls12377, 20, 7n, 1n);
  // The workers compute in the subgroup of prime order: the point of order two is added apart, with an even scalar.
  const points = [pointOfOrderTwo(bls12377), undefined, ...few.points, undefined];
  return [...onGpu, await keyOver('bls12-381'), basesOf(bls12377, points, [0n, 0n, ...few.factors, 0n])];
}

async function keyOver(curve: 'bn254' | 'bls12-381'): Promise<CachedSubject> {
  const { zkey, wasm, inputs, verificationKey } = await chainOver(curve);
  return {
    plan: `groth16/${curve}`,
    async use({ groth16 }, precompute) {
      const key = await groth16.loadKey(zkey, { precompute });
      try {
        const { proof, publicSignals } = await groth16.fullProve(key, inputs, wasm);
        if (!(await groth16.verify(verificationKey, publicSignals, proof))) {
          throw new Error('expected a proof that holds, got a wrong one');
        }
        return { cached: key.report.cached === true, isRight: true };
      } finally {
        await key.dispose();
      }
    },
  };
}

/**
 * @param factors what the points are multiples of the generator by; 0 for those of order two, which get an even scalar.
 */
function basesOf(curve: Curve, points: Parameters<typeof encodePoints>[1], factors: readonly bigint[]): CachedSubject {
  const bytes = encodePoints(curve, points);
  const checkSubgroup = !factors.includes(0n);
  return {
    plan: `bases/${curve.id}`,
    async use(prover, precompute, random) {
      const bases = await prover.loadBases({ curve: curve.id, points: bytes, precompute, checkSubgroup });
      try {
        const scalars = factors.map((factor) => {
          const scalar = random.below(curve.fr.modulus);
          return factor === 0n ? scalar - (scalar % 2n) : scalar;
        });
        const { x, y } = await prover.msm(bases, encodeScalars(scalars, curve.id));
        const expected = multipleOf(curve, dot(factors, scalars))!;
        return { cached: bases.report.cached === true, isRight: x === expected[0] && y === expected[1] };
      } finally {
        await bases.dispose();
      }
    },
  };
}
