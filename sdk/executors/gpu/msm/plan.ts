import type { Reduction } from '../../../bases/multiples.js';

/**
 * How some multiplications over the same points are cut up.
 *
 * Digit w of a scalar, by window w, adds the point or one of its precomputed multiples to a bucket of a row: with G rows, digit
 * w = j G + g adds multiple j, which is 2^(j G c) P, to row g. Without precomputation every window has a row of its own.
 *
 * A row has one set of buckets (`merged`), or a set for each of its windows (`cross-window`), whose sums are joined in the first one before
 * the row is reduced.
 */
export interface MsmPlan {
  readonly points: number;
  /** The number of multiplications, and how many of them are worked on together. */
  readonly batch: number;
  readonly batchPerPass: number;
  readonly digitsFrom: DigitsFrom;
  /** Bits of a window: the c of Pippenger's method. */
  readonly windowBits: number;
  readonly windows: number;
  /** Multiples of each point among the bases, the point itself among them: 1 without precomputation. */
  readonly multiples: number;
  /** Rows of buckets of a multiplication: G = ceil(windows / multiples). */
  readonly rows: number;
  /** Buckets of a set: 2^(c-1), since digits are signed. */
  readonly bucketsPerRow: number;
  readonly reduction: Reduction;
  /** Rows that are worked on together. Each pass runs over all the points again. */
  readonly rowsPerPass: number;
  /** At most so many points are sorted and added to the buckets at a time. */
  readonly chunkPoints: number;
  /** Entries of the sorted list that one thread adds up, at most. A bucket of so many is one piece. */
  readonly pieceLength: number;
  /** Entries of the pieces into which a larger bucket is cut: at most `pieceLength`. */
  readonly fullLength: number;
  /** Bytes of an accumulator. */
  readonly sumBytes: number;
  /** The cost of adding a base to a sum, in such additions of G1. */
  readonly additionCost: number;
}

/** Where the digits of a window go: to which row of buckets, with which multiples of the points. */
export interface WindowPlace {
  readonly row: number;
  readonly multiple: number;
}

/** The place of a window; `first_place` and `next_place` in shaders/digits/layout.wgsl are the kernels' own. */
export function placeOf({ rows }: Pick<MsmPlan, 'rows'>, window: number): WindowPlace {
  return { row: window % rows, multiple: Math.floor(window / rows) };
}

/** Digits of all points, rows and multiplications that are worked on together, at most: entries of the sorted list. */
export function digitCount({ chunkPoints, rowsPerPass, batchPerPass, multiples }: MsmPlan): number {
  return chunkPoints * multiples * rowsPerPass * batchPerPass;
}

/** The sets of buckets of a row: one, or one for each multiple, which are the row's windows. */
export function setsPerRow({ reduction, multiples }: MsmPlan): number {
  return reduction === 'cross-window' ? multiples : 1;
}

/** Buckets that are filled together, at most. */
export function bucketCount(plan: MsmPlan): number {
  const { rowsPerPass, batchPerPass, bucketsPerRow } = plan;
  return rowsPerPass * batchPerPass * bucketsPerRow * setsPerRow(plan);
}

/** Bytes of the result: a sum for each bit of each row of each multiplication. */
export function bitSumsBytes({ rows, windowBits, batch, sumBytes }: MsmPlan): number {
  return rows * windowBits * batch * sumBytes;
}

/** Where the digits come from: the GPU cuts them from scalars, or they are brought as they are. */
export type DigitsFrom = 'scalars' | 'digits';
