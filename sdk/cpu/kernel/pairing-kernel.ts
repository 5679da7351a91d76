import { type GroupId, pointBytes } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { countOf } from './count-of.js';
import type { PairingExports } from './exports.js';
import type { KernelInstance } from './kernel-instance.js';

/** Points checked between two copies into WASM memory. */
const CHUNK = 512;

/**
 * A kernel's methods for pairings, and for membership in the groups they are defined on; `CURVE_MISMATCH` on curves without a pairing.
 * They run in one step: a point of G2 takes 0.2 ms, a pairing beside others 0.3.
 */
export function pairingKernel({ curve, pairing, memory }: KernelInstance) {
  const expectPairing = (): PairingExports => {
    if (pairing === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with pairing kernels, got ${curve}`);
    }
    return pairing;
  };
  const countPoints = (group: GroupId, points: Uint8Array): number =>
    countOf(points, pointBytes(curve, group), `points of ${group}`);

  return {
    /**
     * Whether each of n affine points is in the group of prime order r: infinity, or coordinates below p, on the curve, and for G2 in
     * the twist's subgroup.
     */
    async isInSubgroup({ group, points }: { readonly group: GroupId; readonly points: Uint8Array }): Promise<boolean> {
      const { g1_isInSubgroup, g2_isInSubgroup } = expectPairing();
      const isMember = group === 'g1' ? g1_isInSubgroup : g2_isInSubgroup;
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
     * Whether the product of the pairings e(P_i, Q_i) of n points of each group is 1; a pair with infinity counts as 1, and so does the
     * product of no pairs. `INVALID_LENGTH` when the groups' points are not as many, `INVALID_POINT` for a coordinate that is not below
     * p or a point off its curve. Points of G2 must be in the subgroup, which only `isInSubgroup` checks: with others the answer means
     * nothing.
     */
    async pairingProductIsOne({ g1, g2 }: { readonly g1: Uint8Array; readonly g2: Uint8Array }): Promise<boolean> {
      const { pairing_pairSize, pairing_productIsOne } = expectPairing();
      const count = countPoints('g1', g1);
      if (countPoints('g2', g2) !== count) {
        throw new PippinError('INVALID_LENGTH', `expected ${count} points of g2 as of g1, got ${g2.length} bytes`);
      }
      return memory.scope((allocate) => {
        const g1At = allocate(g1.length);
        const g2At = allocate(g2.length);
        memory.write(g1At, g1);
        memory.write(g2At, g2);
        const found = pairing_productIsOne(g1At, g2At, count, allocate(count * pairing_pairSize()));
        if (found < 0) {
          throw new PippinError(
            'INVALID_POINT',
            `expected pair ${-1 - found} of points on ${curve} with coordinates below p, got one that is not`,
          );
        }
        return found === 1;
      });
    },
  };
}
