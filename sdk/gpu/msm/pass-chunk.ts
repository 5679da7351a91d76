import { type MsmPlan, placeOf } from './plan.js';

/** A chunk of the points in a pass: rows of buckets that are filled together, and the points that are added to them now. */
export interface PassChunk {
  readonly plan: MsmPlan;
  /** The rows of each multiplication. */
  readonly firstRow: number;
  readonly rows: number;
  /** Points of the chunk, and the number of its first one among all. */
  readonly points: number;
  readonly firstPoint: number;
  /** The multiplications, and the number of the first one among all. */
  readonly batch: number;
  readonly firstOfBatch: number;
  /** The buffer of the bases, where among these the chunk begins, and how far behind a base its next multiple lies. */
  readonly bases: GPUBuffer;
  readonly firstBase: number;
  readonly multipleStride: number;
  /** The buckets hold sums of earlier chunks, to which these points are added. */
  readonly continued: boolean;
}

/** Buckets of all rows of all multiplications. */
export function bucketsOf({ plan, rows, batch }: PassChunk): number {
  return rows * batch * plan.bucketsPerRow;
}

/** Digits of all points: the most entries that the sorted list may have. */
export function digitsOf({ plan, points, rows, batch }: PassChunk): number {
  return points * plan.multiples * rows * batch;
}

/** The windows whose digits go to the rows of the pass, in ascending order. */
export function windowsOf({ plan, firstRow, rows }: PassChunk): number[] {
  return Array.from({ length: plan.windows }, (_, window) => window).filter((window) => {
    const { row } = placeOf(plan, window);
    return row >= firstRow && row < firstRow + rows;
  });
}
