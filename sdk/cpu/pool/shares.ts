import type { Share } from '../../msm/backend.js';

export type { Share } from '../../msm/backend.js';

/** A vector of bases to be shared out among the workers. */
export interface Weighted {
  readonly count: number;
  /** What one of its points costs, relative to those of the other vectors. */
  readonly weight: number;
}

/**
 * Shares vectors that are multiplied at the same time out, so that with its `loads` of other work each worker has an equal part of
 * the cost, in few, long runs: the vectors stand one behind the other on a line, which is cut once a worker (McNaughton, "Scheduling with
 * deadlines and loss functions", 1959). A run costs less a point than two of half its length, because its buckets are summed once.
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

/** Where a line of that length begins for each worker, and its end. A worker whose load is more than the common level has none of it. */
function cutLine(length: number, loads: readonly number[]): number[] {
  const level = commonLevel(length, loads);
  const cuts = [0];
  for (const load of loads) cuts.push(cuts.at(-1)! + Math.max(0, level - load));
  return cuts;
}

/** The level to which work of that amount fills up the workers, as water does vessels whose floors are at `loads`. */
function commonLevel(amount: number, loads: readonly number[]): number {
  const ascending = loads.toSorted((a, b) => a - b);
  let filled = 0;
  for (const [i, load] of ascending.entries()) {
    filled += load;
    const level = (amount + filled) / (i + 1);
    if (level <= (ascending[i + 1] ?? Number.POSITIVE_INFINITY)) return level;
  }
  return 0;
}
