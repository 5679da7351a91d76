import type { Reduction } from '../../../bases/multiples.js';

/**
 * How a batch of MSMs over the same points is divided.
 *
 * Digit w of a scalar, for window w, adds the point or one of its precomputed multiples to a bucket of a row: with G
 * rows, digit w = j G + g adds multiple j, which is 2^(j G c) P, to row g. Without precomputation every window has a
 * row of its own.
 *
 * A row has one set of buckets (`merged`), or one set per window (`cross-window`), which are added into the first set
 * before the row is reduced.
 */
export interface MsmPlan {
  readonly points: number;
  /** The number of MSMs, and how many of them share a pass. */
  readonly batch: number;
  readonly batchPerPass: number;
  readonly digitsFrom: DigitsFrom;
  /** Bytes of a full-length scalar. */
  readonly scalarBytes: number;
  /** Bits of a window: the c of Pippenger's method. */
  readonly windowBits: number;
  readonly windows: number;
  /** Multiples of each point among the bases, including the point itself: 1 without precomputation. */
  readonly multiples: number;
  /** Rows of buckets per MSM: G = ceil(windows / multiples). */
  readonly rows: number;
  /** Buckets per set: 2^(c-1), since digits are signed. */
  readonly bucketsPerRow: number;
  readonly reduction: Reduction;
  /** Rows per pass. Each pass runs over all points again. */
  readonly rowsPerPass: number;
  /** The most points that are sorted and added to the buckets at a time. */
  readonly chunkPoints: number;
  /** The most entries of the sorted list that one thread adds up. A bucket of at most this many is one piece. */
  readonly pieceLength: number;
  /** Entries of each full piece of a larger bucket: at most `pieceLength`. */
  readonly fullLength: number;
  /** Bytes of an accumulator. */
  readonly sumBytes: number;
  /** The cost of a mixed addition, in mixed G1 additions. */
  readonly additionCost: number;
}

/** Where a window's digits go: the row of buckets, and the multiple of the points. */
export interface WindowPlace {
  readonly row: number;
  readonly multiple: number;
}

/** The place of a window; the kernels use `first_place` and `next_place` in shaders/digits/layout.wgsl. */
export function placeOf({ rows }: Pick<MsmPlan, 'rows'>, window: number): WindowPlace {
  return { row: window % rows, multiple: Math.floor(window / rows) };
}

/** The most digits of a chunk in a pass, over all its points, rows and MSMs: the capacity of the sorted list. */
export function digitCount({ chunkPoints, rowsPerPass, batchPerPass, multiples }: MsmPlan): number {
  return chunkPoints * multiples * rowsPerPass * batchPerPass;
}

/** The sets of buckets per row: one, or one for each multiple, that is, for each of the row's windows. */
export function setsPerRow({ reduction, multiples }: MsmPlan): number {
  return reduction === 'cross-window' ? multiples : 1;
}

/** The most buckets filled in a pass. */
export function bucketCount(plan: MsmPlan): number {
  const { rowsPerPass, batchPerPass, bucketsPerRow } = plan;
  return rowsPerPass * batchPerPass * bucketsPerRow * setsPerRow(plan);
}

/** Bytes of the result: an accumulator for each bit of each row of each MSM. */
export function bitSumsBytes({ rows, windowBits, batch, sumBytes }: MsmPlan): number {
  return rows * windowBits * batch * sumBytes;
}

/** Where the digits come from: the GPU cuts them from scalars, or they are uploaded as digits. */
export type DigitsFrom = 'scalars' | 'digits';
