import { bigintToBytes, joinBytes, newBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import type { CeremonyWork } from '../ceremony-work.js';
import type { PointVector } from '../point-slices.js';
import { StagePairs } from './stage-pairs.js';

/** The most pairs of one job, which share inversions, and the fewest. */
const MOST_PAIRS = 1 << 9;
const FEWEST_PAIRS = 1 << 4;

/**
 * The stages of an inverse NTT over points in bit-reversed order, in place; pairs go to the workers slice by slice. A
 * division by n costs nothing: the factors of the first block of each stage have it, and the first point has it before.
 */
export async function transformByWorkers(
  work: CeremonyWork,
  { curve, group, points }: PointVector,
  isDivided: boolean,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { pool, signal } = work;
  const size = preparedPointBytes(curve.id, group);
  const n = points.length / size;
  const module = await work.module(curve.id, 'roots');
  const roots = rootsOf(curve, n, 1n);
  const divided = isDivided ? rootsOf(curve, n, inverse(BigInt(n), curve.fr.modulus)) : roots;
  const stages = Math.log2(n);
  const slice = Math.max(FEWEST_PAIRS, Math.min(MOST_PAIRS, Math.ceil(n / 2 / (2 * pool.size))));
  for (let stage = 0; stage < stages; stage++) {
    const pairs = new StagePairs(points, size, 2 ** stage);
    /** What the second points of pairs are multiplied by; nothing if that is 1 for all. */
    const factorsOf = (from: number, to: number): Uint8Array => {
      if (stage === 0 && !(isDivided && from === 0)) return newBytes(0);
      const factors = newBytes((to - from) * SCALAR_BYTES);
      for (let i = from; i < to; i++) {
        const at = (((i % pairs.half) * n) / (2 * pairs.half)) * SCALAR_BYTES;
        const own = i < pairs.half ? divided : roots;
        factors.set(own.subarray(at, at + SCALAR_BYTES), (i - from) * SCALAR_BYTES);
      }
      return factors;
    };
    const compute = async (from: number, to: number): Promise<void> => {
      const both = joinBytes([pairs.firsts(from, to), pairs.seconds(from, to)]);
      const factors = factorsOf(from, to);
      const results = await retryOnDeadWorker(() => {
        const args = { group, points: both.slice(), factors: factors.slice(), module };
        return pool.call(curve.id, 'pointButterflies', args, { signal, moved: true });
      });
      pairs.setFirsts(from, results.subarray(0, results.length / 2));
      pairs.setSeconds(from, results.subarray(results.length / 2));
      freeMemory(results);
    };
    await eachSlice(pool, n / 2, slice, compute, {
      signal,
      onProgress: (fraction) => onProgress((stage + fraction) / stages),
    });
  }
}

/** first w^-i for i < n / 2, canonical. */
function rootsOf({ id, fr }: Curve, n: number, first: bigint): Uint8Array {
  const root = inverse(rootOfDomain(id, n), fr.modulus);
  const roots = newBytes((n / 2) * SCALAR_BYTES);
  for (let i = 0, power = first; i < n / 2; i++, power = (power * root) % fr.modulus) {
    roots.set(bigintToBytes(power, SCALAR_BYTES), i * SCALAR_BYTES);
  }
  return roots;
}
