import { bigintToBytes, copyBytes, joinBytes, newBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import type { GpuPoints } from '../../executors/gpu/points/gpu-points.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import type { CeremonyWork } from '../ceremony-work.js';
import type { PointVector } from '../point-slices.js';
import { expectTransform } from '../products-check.js';

/** The most pairs of one job, which share inversions, and the fewest. */
const MOST_PAIRS = 1 << 9;
const FEWEST_PAIRS = 1 << 4;

/**
 * The inverse NTT over points, without the division by n: sum_i w^(-ij) P_i for the n-th root of unity w, in place. A
 * GPU computes it, if there is one; the workers check the result (`expectTransform`), and compute it where the GPU
 * fails.
 *
 * @param onProgress called with the done fraction.
 */
export async function transformPoints(
  work: CeremonyWork,
  vector: PointVector,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { curve, group, points } = vector;
  const n = points.length / preparedPointBytes(curve.id, group);
  if (n === 1) return;
  await work.gpu.compute(
    { curve: curve.id, group, count: n },
    async (onGpu) => {
      const made = { ...vector, points: copyBytes(points) };
      await runStages(work, made, onGpu, onProgress);
      await expectTransform(work, vector, made.points);
      points.set(made.points);
      freeMemory(made.points);
    },
    () => runStages(work, vector, undefined, onProgress),
  );
}

/** The stages of the NTT. Points are taken in bit-reversed order; pairs go to the workers slice by slice. */
async function runStages(
  work: CeremonyWork,
  { curve, group, points }: PointVector,
  onGpu: GpuPoints | undefined,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { pool, signal } = work;
  const size = preparedPointBytes(curve.id, group);
  const n = points.length / size;
  const module = await work.module(curve.id, 'roots');
  const roots = rootsOf(curve, n);
  const stages = Math.log2(n);
  reverseBits(points, size);
  const slice = Math.max(FEWEST_PAIRS, Math.min(MOST_PAIRS, Math.ceil(n / 2 / (2 * pool.size))));
  for (let stage = 0; stage < stages; stage++) {
    const pairs = new Pairs(points, size, 2 ** stage);
    /** The roots that the second points of pairs are multiplied by. */
    const factorsOf = (from: number, to: number): Uint8Array => {
      const factors = newBytes((to - from) * SCALAR_BYTES);
      for (let i = from; i < to; i++) {
        const root = ((i % pairs.half) * n) / (2 * pairs.half);
        factors.set(roots.subarray(root * SCALAR_BYTES, (root + 1) * SCALAR_BYTES), (i - from) * SCALAR_BYTES);
      }
      return factors;
    };
    const set = (from: number, sums: Uint8Array, differences: Uint8Array): void => {
      pairs.setFirsts(from, sums);
      pairs.setSeconds(from, differences);
    };
    const byWorker = async (from: number, to: number): Promise<void> => {
      const both = joinBytes([pairs.firsts(from, to), pairs.seconds(from, to)]);
      const factors = stage === 0 ? newBytes(0) : factorsOf(from, to);
      const results = await retryOnDeadWorker(() => {
        const args = { group, points: both.slice(), factors: factors.slice(), module };
        return pool.call(curve.id, 'pointButterflies', args, { signal, moved: true });
      });
      set(from, results.subarray(0, results.length / 2), results.subarray(results.length / 2));
      freeMemory(results);
    };
    const byGpu = async (from: number, to: number): Promise<void> => {
      const factors = stage === 0 ? bigintToBytes(1n, SCALAR_BYTES) : factorsOf(from, to);
      const [a, b] = [pairs.firsts(from, to), pairs.seconds(from, to)];
      set(from, ...(await onGpu!.butterflies(a, b, factors, { signal })));
    };
    const [most, compute] = onGpu === undefined ? [slice, byWorker] : [onGpu.mostPoints, byGpu];
    await eachSlice(pool, n / 2, most, compute, {
      signal,
      onProgress: (fraction) => onProgress((stage + fraction) / stages),
    });
  }
}

/** The pairs of a stage: the second point of a pair is `half` points behind the first. */
class Pairs {
  constructor(
    private readonly points: Uint8Array,
    private readonly size: number,
    readonly half: number,
  ) {}

  firsts(from: number, to: number): Uint8Array {
    return this.gathered(from, to, 0);
  }

  seconds(from: number, to: number): Uint8Array {
    return this.gathered(from, to, this.half);
  }

  setFirsts(from: number, points: Uint8Array): void {
    this.scatter(from, points, 0);
  }

  setSeconds(from: number, points: Uint8Array): void {
    this.scatter(from, points, this.half);
  }

  private gathered(from: number, to: number, offset: number): Uint8Array {
    const gathered = newBytes((to - from) * this.size);
    for (const { at, count, place } of this.runs(from, to)) {
      const begin = (place + offset) * this.size;
      gathered.set(this.points.subarray(begin, begin + count * this.size), at * this.size);
    }
    return gathered;
  }

  private scatter(from: number, points: Uint8Array, offset: number): void {
    const { size } = this;
    for (const { at, count, place } of this.runs(from, from + points.length / size)) {
      this.points.set(points.subarray(at * size, (at + count) * size), (place + offset) * size);
    }
  }

  /** Pairs that lie one behind another: `count` of them from `place` on, which are the ones from `at` on. */
  private *runs(from: number, to: number): Generator<{ at: number; count: number; place: number }> {
    const { half } = this;
    for (let pair = from; pair < to; ) {
      const count = Math.min(half - (pair % half), to - pair);
      yield { at: pair - from, count, place: 2 * half * Math.floor(pair / half) + (pair % half) };
      pair += count;
    }
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
