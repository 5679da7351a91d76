/** The points from..to of a vector of bases, and the worker that is to keep them. */
export interface Share {
  readonly worker: number;
  readonly from: number;
  readonly to: number;
}

/** A vector of bases to be shared out. */
export interface Weighted {
  readonly count: number;
  /** What one of its points costs against those of the other vectors. */
  readonly weight: number;
}

/**
 * Shares vectors that are multiplied at the same time out to `workers`, so that each gets an equal part of the cost in few, long
 * runs: the vectors stand one behind the other on a line, which is cut into equal lengths (McNaughton, "Scheduling with deadlines
 * and loss functions", 1959). A run costs less a point than two of half its length, because its buckets are summed once.
 */
export function shareOut(vectors: readonly Weighted[], workers: number): Share[][] {
  const total = vectors.reduce((sum, { count, weight }) => sum + count * weight, 0);
  let before = 0;
  return vectors.map(({ count, weight }) => {
    /** The point of this vector where the worker's part of the line begins. */
    const start = (worker: number): number => {
      const at = Math.round(((total * worker) / workers - before) / weight);
      return Math.min(count, Math.max(0, at));
    };
    const shares = Array.from({ length: workers }, (_, worker) => ({
      worker,
      from: start(worker),
      to: worker === workers - 1 ? count : start(worker + 1),
    })).filter(({ from, to }) => from < to);
    before += count * weight;
    return shares;
  });
}
