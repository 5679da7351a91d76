/** The points from..to of a vector of bases, and the worker that keeps them. */
export interface Share {
  readonly worker: number;
  readonly from: number;
  readonly to: number;
}

/** A vector of bases to be shared out among the workers. */
export interface Weighted {
  readonly count: number;
  /** What one of its points costs, relative to those of the other vectors. */
  readonly weight: number;
}

/**
 * Shares out vectors that are multiplied at the same time, so that all workers end at about the same time, each with its share of the
 * vectors and its `loads` of other work. The vectors are laid one after another on a line, and each worker gets one stretch of it
 * (McNaughton, "Scheduling with deadlines and loss functions", 1959). That makes few, long runs of points: one run costs less than two of
 * half its length, because its buckets are summed once.
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

/** Where on a line of that length each worker's stretch begins, and the line's end. A worker with more load than the common level gets nothing. */
function cutLine(length: number, loads: readonly number[]): number[] {
  const level = commonLevel(length, loads);
  const cuts = [0];
  for (const load of loads) cuts.push(cuts.at(-1)! + Math.max(0, level - load));
  return cuts;
}

/** If `amount` of work is always given to the least loaded workers, those that get any end with the same load. This is that load. */
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
