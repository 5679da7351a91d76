import { PippinError } from '../../../base/errors.js';
import { CURVES, type GroupId, pointBytes } from '../../../curves/index.js';
import { countOf, expectPart, type KernelInstance } from './kernel-instance.js';
import type { Allocate } from './memory.js';

/** Points checked between two copies into WASM memory. */
const CHUNK = 512;
/** Coefficients over F_p of a pairing's value, which lies in F_p^12. */
const VALUE_COORDINATES = 12;

/** Affine points of both groups, the same number of each. */
export interface PairsArgs {
  readonly g1: Uint8Array;
  readonly g2: Uint8Array;
}

/** Pairs of points, and a weight of `WEIGHT_BYTES` for each point of G1. */
export interface WeightedPairsArgs extends PairsArgs {
  readonly weights: Uint8Array;
}

/** Bytes of a weight (a, b), which means a + b lambda for `pairingLambda`: two integers of 64 bits. */
export const WEIGHT_BYTES = 16;

/** Pairs of points in WASM memory. */
interface StagedPairs {
  readonly g1: number;
  readonly g2: number;
  readonly count: number;
  /** The address of room for `count` pairs. */
  readonly pairs: number;
  readonly allocate: Allocate;
}

/**
 * A kernel's methods for pairings, and for membership in the groups on which they are defined; `CURVE_MISMATCH` on
 * curves without a pairing. They run in one step: a membership test in G2 takes 0.2 ms, and each further pairing of a
 * product 0.3 ms.
 */
export function pairingKernel(instance: KernelInstance) {
  const { curve, memory } = instance;
  const countPoints = (group: GroupId, points: Uint8Array): number =>
    countOf(points, pointBytes(curve, group), `points of ${group}`);

  /** Calls `compute` with the points in WASM memory. */
  function withPairs<T>({ g1, g2 }: PairsArgs, compute: (staged: StagedPairs) => T): Promise<T> {
    const { pairing_pairSize } = expectPart(curve, 'pairing', instance.pairing);
    const count = countPoints('g1', g1);
    if (countPoints('g2', g2) !== count) {
      throw new PippinError('INVALID_LENGTH', `expected ${count} points of g2 as of g1, got ${g2.length} bytes`);
    }
    return memory.scope((allocate) => {
      const g1At = allocate(g1.length);
      const g2At = allocate(g2.length);
      memory.write(g1At, g1);
      memory.write(g2At, g2);
      return compute({ g1: g1At, g2: g2At, count, pairs: allocate(count * pairing_pairSize()), allocate });
    });
  }

  /** The result of a product of pairings; throws if a pair was refused. */
  function accepted(found: number): number {
    if (found >= 0) return found;
    throw new PippinError(
      'INVALID_POINT',
      `expected pair ${-1 - found} of points on ${curve} with coordinates below p, got one that is not`,
    );
  }

  return {
    /**
     * Whether each of n affine points is in the group of prime order r: infinity, or coordinates below p, on the curve,
     * and in the subgroup.
     */
    async isInSubgroup({ group, points }: { readonly group: GroupId; readonly points: Uint8Array }): Promise<boolean> {
      const { pairing_isInG1, pairing_isInG2 } = expectPart(curve, 'pairing', instance.pairing);
      const isMember = group === 'g1' ? pairing_isInG1 : pairing_isInG2;
      const bytes = pointBytes(curve, group);
      const count = countPoints(group, points);
      return memory.scope((allocate) => {
        const source = allocate(Math.min(count, CHUNK) * bytes);
        for (let from = 0; from < count; from += CHUNK) {
          const to = Math.min(count, from + CHUNK);
          memory.write(source, points.subarray(from * bytes, to * bytes));
          for (let i = 0; i < to - from; i++) if (isMember(source + i * bytes) === 0) return false;
        }
        return true;
      });
    },

    /**
     * Whether the product of the pairings e(P_i, Q_i) of n points of each group is 1. A pair with infinity counts as 1,
     * and so does the product of no pairs. `INVALID_LENGTH` when the two groups have different numbers of points,
     * `INVALID_POINT` for a coordinate that is not below p or a point that is not on its curve. Points of G2 must be in
     * the subgroup, which only `isInSubgroup` checks; otherwise the answer means nothing.
     */
    async pairingProductIsOne(points: PairsArgs): Promise<boolean> {
      const { pairing_productIsOne } = expectPart(curve, 'pairing', instance.pairing);
      return withPairs(
        points,
        ({ g1, g2, count, pairs }) => accepted(pairing_productIsOne(g1, g2, count, pairs)) === 1,
      );
    },

    /**
     * Whether the product of the pairings e(w_i P_i, Q_i) is 1, and all Q_i are in their subgroup. The P_i must be in
     * theirs. `INVALID_LENGTH` as for `pairingProductIsOne`; it is false for a point off its curve.
     */
    async batchIsOne({ weights, ...points }: WeightedPairsArgs): Promise<boolean> {
      const { pairing_batchIsOne } = expectPart(curve, 'pairing', instance.pairing);
      return withPairs(points, ({ g1, g2, count, pairs, allocate }) => {
        if (countOf(weights, WEIGHT_BYTES, 'weights') !== count) {
          throw new PippinError('INVALID_LENGTH', `expected ${count} weights as points, got ${weights.length} bytes`);
        }
        const weightsAt = allocate(weights.length);
        memory.write(weightsAt, weights);
        return pairing_batchIsOne(g1, g2, weightsAt, count, pairs) === 1;
      });
    },

    /**
     * The product of the reduced pairings e(P_i, Q_i), with the same exponent as in ffjavascript (it has a factor that
     * depends on the curve's family: wasm/pairing/bn.ts, bls12.ts). The result has 12 canonical coefficients of
     * coordinateBytes each, in the order of `vk_alphabeta_12` in a verification key of snarkjs: c0 and c1 of the
     * coefficients of 1, w^2, w^4, w, w^3, w^5. Errors as for `pairingProductIsOne`.
     */
    async pairing(points: PairsArgs): Promise<Uint8Array> {
      const { pairing_storeProduct } = expectPart(curve, 'pairing', instance.pairing);
      return withPairs(points, ({ g1, g2, count, pairs, allocate }) => {
        const bytes = VALUE_COORDINATES * CURVES[curve].coordinateBytes;
        const target = allocate(bytes);
        accepted(pairing_storeProduct(g1, g2, count, pairs, target));
        return memory.read(target, bytes);
      });
    },
  };
}
