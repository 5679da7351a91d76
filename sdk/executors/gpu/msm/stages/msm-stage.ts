import { type SizedKernel, stageDefiner } from '../../runtime/stage.js';
import type { MsmPlan } from '../plan.js';

/** The scratch buffers of an MSM, by contents. All are u32 words; sums are stored as accumulators of the curve. */
export type MsmBuffer =
  /** The source of the digits: scalars, or digits cut elsewhere. */
  | 'source'
  /**
   * The number of digits of each bucket; after the scan, the first entry of each bucket's run, then the number of
   * entries. The scan's block totals follow.
   */
  | 'counters'
  /** For each digit its rank: the number of digits counted before it in its bucket. */
  | 'ranks'
  /** Base index and sign of each nonzero digit, sorted by bucket. */
  | 'sorted'
  /** The number of places of each length class, how many of them are taken, and the number of slots. */
  | 'bins'
  /** The bucket of each piece, plus 1, by length class; 0 for an empty place. */
  | 'pieces'
  /** The index of the first full piece of each bucket that has one. */
  | 'firstPieces'
  /** The sums of the full pieces. */
  | 'slots'
  /** The sum of each bucket; all-zero words for an empty one. */
  | 'buckets'
  /** The result: a canonical accumulator for each bit of each row of each MSM. */
  | 'bitSums';

/** The arithmetic that precedes a kernel: the whole group law, or only the addition of bases to accumulators. */
export type MsmArithmetic = 'points' | 'bases';

/** Any stage of an MSM, without its dispatches. */
export type MsmKernel = SizedKernel<MsmBuffer, MsmPlan>;

/** Declares a stage of an MSM. */
export const defineMsmStage = stageDefiner<MsmBuffer, MsmPlan, MsmArithmetic>();
