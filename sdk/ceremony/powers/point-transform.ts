import { bigintToBytes, joinBytes, newBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import type { CeremonyWork } from '../ceremony-work.js';
import { type PointVector, writtenByWorkers } from '../point-slices.js';
import { expectTransform } from '../products-check.js';
import { StagePairs } from './stage-pairs.js';
import { type DomainsOfPoints, transformOnGpu } from './transform-on-gpu.js';

/** The most pairs of one job, which share inversions, and the fewest. */
const MOST_PAIRS = 1 << 9;
const FEWEST_PAIRS = 1 << 4;

/** The points of the domains after their transforms, one domain behind another. */
interface Transformed {
  /** Prepared, or zeros for infinity. */
  readonly points: Uint8Array;
  /** The same as a .zkey and a .ptau file have them; undefined if nobody has written them yet. */
  readonly written: Uint8Array[] | undefined;
}

/**
 * The inverse NTT over points, without the division by n: sum_i w^(-ij) P_i for the n-th root of unity w, in place.
 *
 * @param onProgress called with the done fraction.
 */
export async function transformPoints(
  work: CeremonyWork,
  vector: PointVector,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { curve, group, points } = vector;
  const log = Math.log2(points.length / preparedPointBytes(curve.id, group));
  const transformed = await transformDomains(work, { ...vector, from: log, to: log, isDivided: false }, onProgress);
  points.set(transformed.points);
  freeMemory(transformed.points);
}

/**
 * A vector over the Lagrange bases of its domains: sum_i w^(-ij) P_i / n, as a .ptau file has them, domain by domain.
 *
 * @param onProgress called with the done fraction.
 */
export async function overLagrangeBasis(
  work: CeremonyWork,
  domains: Omit<DomainsOfPoints, 'isDivided'>,
  onProgress: (fraction: number) => void,
): Promise<Uint8Array[]> {
  const { points, written } = await transformDomains(work, { ...domains, isDivided: true }, onProgress);
  const parts = written ?? [await writtenByWorkers(work, { ...domains, points })];
  freeMemory(points);
  return parts;
}

/**
 * The inverse NTTs over points, sum_i w^(-ij) P_i, each divided by its n where that is asked for. A GPU computes them,
 * if there is one; the workers check its results (`expectTransform`), and compute them where it fails.
 */
function transformDomains(
  work: CeremonyWork,
  domains: DomainsOfPoints,
  onProgress: (fraction: number) => void,
): Promise<Transformed> {
  const { curve, group, from, to } = domains;
  const size = preparedPointBytes(curve.id, group);
  const first = 2 ** from;
  return work.gpu.compute<Transformed>(
    { curve: curve.id, group, count: 2 ** to },
    async (onGpu) => {
      const points = await arranged(work, domains);
      if (to > 0) await transformOnGpu(work, onGpu, { ...domains, points }, onProgress);
      const written = await Promise.all(
        domainsOf(domains).map(async (n): Promise<Uint8Array> => {
          const made = points.subarray((n - first) * size, (2 * n - first) * size);
          const given = { curve, group, points: newBytes(n * size) };
          given.points.set(domains.points.subarray(0, n * size));
          if (n > 1) return expectTransform(work, given, made, domains.isDivided);
          // A GPU has nothing to compute of a domain of one point.
          made.set(given.points);
          return writtenByWorkers(work, given);
        }),
      );
      return { points, written };
    },
    async () => {
      const points = await arranged(work, domains);
      const all = points.length / size;
      for (const n of domainsOf(domains)) {
        const own = { curve, group, points: points.subarray((n - first) * size, (2 * n - first) * size) };
        const tell = (fraction: number): void => onProgress((n - first + fraction * n) / all);
        if (n > 1) await transformByWorkers(work, own, domains.isDivided, tell);
      }
      return { points, written: undefined };
    },
  );
}

/** The numbers of points of the domains. */
function domainsOf({ from, to }: DomainsOfPoints): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => 2 ** (from + i));
}

/**
 * The points of all domains one behind another, each domain's in bit-reversed order. Where transforms are divided, each
 * first point is: all others are divided by the factors that they are multiplied by.
 */
async function arranged(work: CeremonyWork, domains: DomainsOfPoints): Promise<Uint8Array> {
  const { curve, group, points, from, isDivided } = domains;
  const size = preparedPointBytes(curve.id, group);
  const sizes = domainsOf(domains);
  const first = 2 ** from;
  const result = newBytes((2 * sizes.at(-1)! - first) * size);
  for (const n of sizes) reversedInto(result.subarray((n - first) * size, (2 * n - first) * size), points, size);
  if (!isDivided) return result;
  const { pool, signal } = work;
  const rows = await work.module(curve.id, 'rows');
  await Promise.all(
    sizes.map(async (n) => {
      if (n === 1) return;
      const scalar = bigintToBytes(inverse(BigInt(n), curve.fr.modulus), SCALAR_BYTES);
      const divided = await retryOnDeadWorker(() => {
        const args = { group, points: points.slice(0, size), scalar, rows };
        return pool.call(curve.id, 'scalePoints', args, { signal });
      });
      result.set(divided, (n - first) * size);
    }),
  );
  return result;
}

/** Sets entry i to the one whose number has the bits of i in reverse order; zeros for those behind the end. */
function reversedInto(target: Uint8Array, entries: Uint8Array, size: number): void {
  const words = size / 4;
  const from = new Uint32Array(entries.buffer, entries.byteOffset, entries.length / 4);
  const to = new Uint32Array(target.buffer, target.byteOffset, target.length / 4);
  const n = to.length / words;
  for (let i = 0, reversed = 0; i < n; i++) {
    const begin = reversed * words;
    if (begin < from.length) for (let word = 0; word < words; word++) to[i * words + word] = from[begin + word]!;
    // Adds 1 from the highest bit on.
    let bit = n / 2;
    for (; reversed & bit; bit /= 2) reversed -= bit;
    reversed += bit;
  }
}

/**
 * The stages of an inverse NTT over points in bit-reversed order, in place; pairs go to the workers slice by slice. A
 * division by n costs nothing: the factors of the first block of each stage have it, and the first point has it before.
 */
async function transformByWorkers(
  work: CeremonyWork,
  { curve, group, points }: PointVector,
  isDivided: boolean,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { pool, signal } = work;
  const size = preparedPointBytes(curve.id, group);
  const n = points.length / size;
  const [module, rows] = await Promise.all([work.module(curve.id, 'roots'), work.module(curve.id, 'rows')]);
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
        const args = { group, points: both.slice(), factors: factors.slice(), module, rows };
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
