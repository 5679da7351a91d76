import { type MsmPlan, placeOf, setsPerRow } from '../plan.js';

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

/** A pass without its points. */
type PassRows = Pick<PassChunk, 'plan' | 'rows' | 'batch'>;

/** One set of buckets of all rows of all multiplications. The sets of a pass lie one behind another. */
export function bucketsOfSet({ plan, rows, batch }: PassRows): number {
  return rows * batch * plan.bucketsPerRow;
}

/** Buckets of all rows of all multiplications. */
export function bucketsOf(pass: PassRows): number {
  return bucketsOfSet(pass) * setsPerRow(pass.plan);
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
