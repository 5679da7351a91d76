import { type MsmPlan, placeOf, setsPerRow } from '../plan.js';

/** A chunk of the points in a pass: the rows of buckets that the pass fills, and the points to add to them. */
export interface PassChunk {
  readonly plan: MsmPlan;
  /** The rows of each MSM. */
  readonly firstRow: number;
  readonly rows: number;
  /** Points of the chunk, and the index of its first one among all. */
  readonly points: number;
  readonly firstPoint: number;
  /** The number of MSMs, and the index of the first one among all. */
  readonly batch: number;
  readonly firstOfBatch: number;
  /**
   * The buffer of the bases, the index of the chunk's first base in it, and the distance from a base to its next
   * multiple.
   */
  readonly bases: GPUBuffer;
  readonly firstBase: number;
  readonly multipleStride: number;
  /** The points are added to what the buckets already hold from earlier chunks. */
  readonly continued: boolean;
}

/** A pass without its points. */
type PassRows = Pick<PassChunk, 'plan' | 'rows' | 'batch'>;

/** The buckets of one set, over all rows of all MSMs. The sets of a pass are consecutive. */
export function bucketsOfSet({ plan, rows, batch }: PassRows): number {
  return rows * batch * plan.bucketsPerRow;
}

/** The buckets of all sets, rows and MSMs. */
export function bucketsOf(pass: PassRows): number {
  return bucketsOfSet(pass) * setsPerRow(pass.plan);
}

/** Digits of all points: the most entries that the sorted list can have. */
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
