import { bigintToBytes, newBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { inverse, power } from '../../curves/modular.js';
import type { GpuPoints } from '../../executors/gpu/points/gpu-points.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import type { CeremonyWork } from '../ceremony-work.js';
import type { PointVector } from '../point-slices.js';
import { StagePairs } from './stage-pairs.js';

/** Factors that a worker computes and splits in one job. */
const MOST_FACTORS = 1 << 14;

/** Points, and the domains over which they are transformed, of 2^from, .. 2^to points. */
export interface DomainsOfPoints extends PointVector {
  /** Prepared. Behind the end of the array all points are infinite. */
  readonly points: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** Whether each transform is divided by the number of its domain's points. Then the first point is finite. */
  readonly isDivided: boolean;
}

/** Powers first ratio^i for i < count. */
interface Powers {
  readonly first: bigint;
  readonly ratio: bigint;
  readonly count: number;
}

/**
 * The inverse NTTs over points in bit-reversed order, domain behind domain, in place: all together if the GPU takes so
 * many points, or each for itself. Of a domain that is too large, the first stages of its parts are computed so, and
 * all further stages slice by slice from the host's memory. The division by n is in the factors of first blocks, and in
 * each domain's first point before.
 *
 * @param onProgress called with the done fraction.
 */
export async function transformOnGpu(
  work: CeremonyWork,
  gpu: GpuPoints,
  domains: DomainsOfPoints,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { curve, group, points, from, to } = domains;
  const size = preparedPointBytes(curve.id, group);
  if (points.length / size <= gpu.mostTransformed) {
    await transformTogether(work, gpu, domains, onProgress);
    return;
  }
  const first = 2 ** from;
  for (let log = from; log <= to; log++) {
    const n = 2 ** log;
    const own = { ...domains, points: points.subarray((n - first) * size, (2 * n - first) * size), from: log, to: log };
    const tell = (fraction: number): void => onProgress(((n - first + fraction * n) * size) / points.length);
    if (n <= gpu.mostTransformed) await transformTogether(work, gpu, own, tell);
    else await transformByParts(work, gpu, own, tell);
  }
}

/**
 * Domains that the GPU takes at once.
 *
 * @param by what results are divided by, if that is another number than each domain's own.
 */
async function transformTogether(
  work: CeremonyWork,
  gpu: GpuPoints,
  { curve, points, from, to, isDivided }: DomainsOfPoints,
  onProgress: (fraction: number) => void,
  by?: number,
): Promise<void> {
  if (to === 0) return;
  const tables: Powers[] = [{ first: 1n, ratio: inverseRoot(curve, 2 ** to), count: 2 ** (to - 1) }];
  for (let n = Math.max(2, 2 ** from); isDivided && n <= 2 ** to; n *= 2) {
    const first = inverse(BigInt(by ?? n), curve.fr.modulus);
    tables.push({ first, ratio: inverseRoot(curve, n), count: n / 2 });
  }
  const factors = await splitTables(work, curve, tables);
  const made = await gpu.transform(points, { from, to, isDivided }, factors, { signal: work.signal, onProgress });
  points.set(made);
  freeMemory(made);
}

/** A domain of more points than the GPU takes at once. */
async function transformByParts(
  work: CeremonyWork,
  gpu: GpuPoints,
  domain: DomainsOfPoints,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { pool, signal } = work;
  const { curve, group, points, to, isDivided } = domain;
  const size = preparedPointBytes(curve.id, group);
  const n = 2 ** to;
  const log = Math.floor(Math.log2(Math.max(1, gpu.mostTransformed)));
  const part = 2 ** log;
  for (let at = 0; at < n; at += part) {
    const own = { ...domain, points: points.subarray(at * size, (at + part) * size), from: log, to: log };
    const tell = (fraction: number): void => onProgress(((at + fraction * part) / n) * (log / to));
    await transformTogether(work, gpu, { ...own, isDivided: isDivided && at === 0 }, tell, n);
  }
  for (let stage = log; stage < to; stage++) {
    const pairs = new StagePairs(points, size, 2 ** stage);
    const ratio = inverseRoot(curve, 2 * pairs.half);
    // A power of two, so that a slice is of one block.
    const slice = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(gpu.mostPoints, pairs.half))));
    const compute = async (begin: number, end: number): Promise<void> => {
      const divisor = isDivided && begin < pairs.half ? inverse(BigInt(n), curve.fr.modulus) : 1n;
      const first = divisor * power(ratio, BigInt(begin % pairs.half), curve.fr.modulus);
      const factors = await splitTables(work, curve, [{ first, ratio, count: end - begin }]);
      const [a, b] = [pairs.firsts(begin, end), pairs.seconds(begin, end)];
      const [sums, differences] = await gpu.butterflies(a, b, factors, { signal });
      pairs.setFirsts(begin, sums);
      pairs.setSeconds(begin, differences);
    };
    await eachSlice(pool, n / 2, slice, compute, {
      signal,
      onProgress: (fraction) => onProgress((stage + fraction) / to),
    });
  }
}

/** w^-1 for the n-th root of unity w. */
function inverseRoot({ id, fr }: Curve, n: number): bigint {
  return inverse(rootOfDomain(id, n), fr.modulus);
}

/** Powers in halves, one table behind another, by the workers. */
async function splitTables(work: CeremonyWork, curve: Curve, tables: readonly Powers[]): Promise<Uint8Array> {
  const { pool, signal } = work;
  const elements = await work.module(curve.id, 'elements');
  const r = curve.fr.modulus;
  let all = 0;
  const jobs: (Powers & { readonly at: number })[] = [];
  for (const { first, ratio, count } of tables) {
    for (let from = 0; from < count; from += MOST_FACTORS) {
      const start = (first * power(ratio, BigInt(from), r)) % r;
      jobs.push({ first: start, ratio, count: Math.min(MOST_FACTORS, count - from), at: all + from });
    }
    all += count;
  }
  const result = newBytes(all * SCALAR_BYTES);
  const compute = async (job: number): Promise<void> => {
    const { first, ratio, count, at } = jobs[job]!;
    const [start, base] = [bigintToBytes(first, SCALAR_BYTES), bigintToBytes(ratio, SCALAR_BYTES)];
    const halves = await retryOnDeadWorker(() =>
      pool.call(curve.id, 'splitPowers', { first: start, ratio: base, count, elements }, { signal }),
    );
    result.set(halves, at * SCALAR_BYTES);
    freeMemory(halves);
  };
  await eachSlice(pool, jobs.length, 1, compute, { signal });
  return result;
}
