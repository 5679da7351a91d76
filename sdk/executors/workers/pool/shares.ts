import type { Share } from '../../../bases/backend.js';

export type { Share } from '../../../bases/backend.js';

/**
 * The fewest points for which a worker is worth its own pass over the buckets; with fewer points a worker, fewer
 * workers are used.
 */
const MIN_SHARD_POINTS = 64;

/** How many of the workers take equal shares of so many bases. */
export function workersFor(kept: number, workers: number): number {
  return Math.min(workers, Math.max(1, Math.ceil(kept / MIN_SHARD_POINTS)));
}

/** The most bases of one worker: in these shares, or in equal ones. */
export function largestShare(kept: number, workers: number, shares?: readonly Share[]): number {
  if (shares === undefined) return Math.ceil(kept / workersFor(kept, workers));
  return Math.max(0, ...shares.map(({ from, to }) => to - from));
}

/** A vector of bases to be shared out among the workers. */
export interface Weighted {
  readonly count: number;
  /** The cost of one of its points, relative to points of the other vectors. */
  readonly weight: number;
}

/**
 * Divides vectors that are multiplied at the same time among the workers, so that every worker has the same cost
 * together with its other work (`loads`). The vectors are laid one behind the other on a line, which is cut once for
 * each worker (McNaughton, "Scheduling with deadlines and loss functions", 1959). This gives few, long runs, which is
 * cheaper: a long run reduces its buckets once, two halves do so twice.
 */
export function shareOut(vectors: readonly Weighted[], loads: readonly number[]): Share[][] {
  const total = vectors.reduce((sum, { count, weight }) => sum + count * weight, 0);
  const cuts = cutLine(total, loads);
  let before = 0;
  return vectors.map(({ count, weight }) => {
    /** The point of this vector at a cut of the line. */
    const pointAt = (cut: number): number => Math.min(count, Math.max(0, Math.round((cuts[cut]! - before) / weight)));
    const shares = loads
      .map((_, worker) => ({
        worker,
        from: worker === 0 ? 0 : pointAt(worker),
        to: worker === loads.length - 1 ? count : pointAt(worker + 1),
      }))
      .filter(({ from, to }) => from < to);
    before += count * weight;
    return shares;
  });
}

/**
 * Where each worker's part of a line of this length begins, and the line's end. A worker with more load than the common
 * level gets no part.
 */
function cutLine(length: number, loads: readonly number[]): number[] {
  const level = commonLevel(length, loads);
  const cuts = [0];
  for (const load of loads) cuts.push(cuts.at(-1)! + Math.max(0, level - load));
  return cuts;
}

/**
 * The load that the least loaded workers reach when `amount` of work is divided among them. Workers with a higher load
 * get none of it.
 */
function commonLevel(amount: number, loads: readonly number[]): number {
  // Not toSorted, which browsers have only since 2023.
  const ascending = [...loads].sort((a, b) => a - b);
  let filled = 0;
  for (const [i, load] of ascending.entries()) {
    filled += load;
    const level = (amount + filled) / (i + 1);
    if (level <= (ascending[i + 1] ?? Number.POSITIVE_INFINITY)) return level;
  }
  return 0;
}
