import { type SizedKernel, stageDefiner } from '../../runtime/stage.js';
import type { MsmPlan } from '../plan.js';

/** The scratch buffers of a multiplication, by what they hold. All are u32 words; a sum is an accumulator of the curve. */
export type MsmBuffer =
  /** What the digits come from: scalars of 8 words each, or digits that were cut elsewhere. */
  | 'source'
  /** Digits of each bucket; after the scan, where each bucket's run begins, and at last their number. Block totals follow. */
  | 'counters'
  /** For each digit its rank: how many came to its bucket before it. */
  | 'ranks'
  /** Index of the base and sign of each nonzero digit, sorted by bucket. */
  | 'sorted'
  /** Places that the pieces of each length class take, how many of them are taken, and the number of slots. */
  | 'bins'
  /** The bucket of each piece, plus 1, by length class; zeros where there is none. */
  | 'pieces'
  /** The number of the first full piece of each bucket that has one. */
  | 'firstPieces'
  /** The sums of the full pieces. */
  | 'slots'
  /** The sum of each bucket; all-zero words where it has none. */
  | 'buckets'
  /** The result: a sum for each bit of each row of each multiplication, canonical. */
  | 'bitSums';

/** The arithmetic that a kernel is put behind: the curve's points, or as much of it as adds bases to sums. */
export type MsmArithmetic = 'points' | 'bases';

/** Any stage of a multiplication, without its dispatches. */
export type MsmKernel = SizedKernel<MsmBuffer, MsmPlan>;

/** Declares a stage of a multiplication. */
export const defineMsmStage = stageDefiner<MsmBuffer, MsmPlan, MsmArithmetic>();
