import { bigintToBytes, newBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, type GroupId, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import type { CeremonyWork } from '../ceremony-work.js';

/** The most pairs of one job, which share inversions, and the fewest. */
const MOST_PAIRS = 1 << 9;
const FEWEST_PAIRS = 1 << 4;

/** Prepared points, or zeros for infinity. */
export interface PointVector {
  readonly curve: Curve;
  readonly group: GroupId;
  readonly points: Uint8Array;
}

/**
 * The inverse NTT over points, without the division by n: sum_i w^(-ij) P_i for the n-th root of unity w, in place.
 * Points are taken in bit-reversed order, and the pairs of each stage go to the workers slice by slice.
 *
 * @param onProgress called with the done fraction.
 */
export async function transformPoints(
  work: CeremonyWork,
  { curve, group, points }: PointVector,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { pool, signal } = work;
  const size = preparedPointBytes(curve.id, group);
  const n = points.length / size;
  if (n === 1) return;
  const module = await work.compileRoots(curve.id);
  const roots = rootsOf(curve, n);
  const stages = Math.log2(n);
  reverseBits(points, size);
  const slice = Math.max(FEWEST_PAIRS, Math.min(MOST_PAIRS, Math.ceil(n / 2 / (2 * pool.size))));
  for (let stage = 0; stage < stages; stage++) {
    const half = 2 ** stage;
    /** Where the first point of a pair is; the second one is `half` behind it. */
    const placeOf = (pair: number): number => 2 * half * Math.floor(pair / half) + (pair % half);
    const compute = async (from: number, to: number): Promise<void> => {
      const count = to - from;
      const pairs = newBytes(2 * count * size);
      const factors = newBytes(stage === 0 ? 0 : count * SCALAR_BYTES);
      for (let i = 0; i < count; i++) {
        const at = placeOf(from + i);
        pairs.set(points.subarray(at * size, (at + 1) * size), i * size);
        pairs.set(points.subarray((at + half) * size, (at + half + 1) * size), (count + i) * size);
        if (stage === 0) continue;
        const root = (((from + i) % half) * n) / (2 * half);
        factors.set(roots.subarray(root * SCALAR_BYTES, (root + 1) * SCALAR_BYTES), i * SCALAR_BYTES);
      }
      const result = await retryOnDeadWorker(() => {
        const args = { group, points: pairs.slice(), factors: factors.slice(), module };
        return pool.call(curve.id, 'pointButterflies', args, { signal, moved: true });
      });
      for (let i = 0; i < count; i++) {
        const at = placeOf(from + i);
        points.set(result.subarray(i * size, (i + 1) * size), at * size);
        points.set(result.subarray((count + i) * size, (count + i + 1) * size), (at + half) * size);
      }
      freeMemory(result);
    };
    await eachSlice(pool, n / 2, slice, compute, {
      signal,
      onProgress: (fraction) => onProgress((stage + fraction) / stages),
    });
  }
}

/** w^-i for i < n / 2, canonical. */
function rootsOf({ id, fr }: Curve, n: number): Uint8Array {
  const root = inverse(rootOfDomain(id, n), fr.modulus);
  const roots = newBytes((n / 2) * SCALAR_BYTES);
  for (let i = 0, power = 1n; i < n / 2; i++, power = (power * root) % fr.modulus) {
    roots.set(bigintToBytes(power, SCALAR_BYTES), i * SCALAR_BYTES);
  }
  return roots;
}

/** Exchanges entries whose numbers have each other's bits in reverse order. */
function reverseBits(entries: Uint8Array, size: number): void {
  const n = entries.length / size;
  for (let i = 0, reversed = 0; i < n; i++) {
    if (i < reversed) {
      const kept = entries.slice(i * size, (i + 1) * size);
      entries.copyWithin(i * size, reversed * size, (reversed + 1) * size);
      entries.set(kept, reversed * size);
    }
    // Adds 1 from the highest bit on.
    let bit = n / 2;
    for (; reversed & bit; bit /= 2) reversed -= bit;
    reversed += bit;
  }
}
