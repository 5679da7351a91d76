import dealShader from '../../../shaders/stages/deal.wgsl';
import tallyShader from '../../../shaders/stages/tally.wgsl';
import { type Dispatch, type Job, rowsOf, type Stage, U32_BYTES } from '../runtime/stage.js';
import { DIGIT_COST } from './cost.js';
import { digitCount } from './digit-stage.js';
import type { MsmPlan } from './plan.js';

/**
 * The run of a bucket in the sorted list is cut into pieces of at most `pieceLength` entries, one for each thread of the
 * accumulation, and the pieces are listed by falling length: whatever the distribution, threads side by side have the same
 * work. Full pieces are those that another of the same bucket follows.
 */

/** Ranks that are told apart, as the shaders say: 16 for full pieces, and one for each length of the others. */
const RANKS = 128;
const FULL_RANKS = 16;
export const MAX_PIECE_LENGTH = RANKS - FULL_RANKS;

/** Sums of full pieces that become one in a round of folding: a thread's additions one after the other, and one more. */
export const FOLDED_PARTS = 4;

/** Full pieces at most. */
export function fullPieces(entries: number, pieceLength: number): number {
  return Math.floor(entries / pieceLength);
}

/** Slots for the sums of full pieces, at most: the last group of a bucket may be nearly empty. */
export function slotCount(entries: number, pieceLength: number): number {
  return 2 * fullPieces(entries, pieceLength);
}

/** Places of pieces at most: those of the full ones, and one for each bucket. */
export function pieceCount(entries: number, buckets: number, pieceLength: number): number {
  return slotCount(entries, pieceLength) + Math.min(entries, buckets);
}

export function bucketCount({ windowsPerPass, batchPerPass, bucketsPerWindow }: MsmPlan): number {
  return rowsOf({ windows: windowsPerPass, batch: batchPerPass }) * bucketsPerWindow;
}

/** Buckets of all windows of a job. */
export function bucketsOf(job: Job): number {
  return rowsOf(job) * job.plan.bucketsPerWindow;
}

/** Counts the pieces of each rank. */
export const tallyStage: Stage = {
  name: 'tally',
  shader: tallyShader,
  prelude: 'pieces',
  workgroupSize: 256,
  access: ['read-only-storage', 'storage'],
  bytes: () => ({ bins: (2 * RANKS + 1) * U32_BYTES }),
};

/** Lists the pieces by rank. */
export const dealStage: Stage = {
  name: 'deal',
  shader: dealShader,
  prelude: 'pieces',
  workgroupSize: 256,
  access: ['read-only-storage', 'storage', 'storage', 'storage'],
  bytes: (plan) => ({
    pieces: pieceCount(digitCount(plan), bucketCount(plan), plan.pieceLength) * U32_BYTES,
    firstPieces: bucketCount(plan) * U32_BYTES,
  }),
};

/** Both stages; the bins and the pieces begin at zero. */
export function cutPieces(job: Job): Dispatch[] {
  const whole = { first: 0, end: bucketsOf(job), params: [job.plan.pieceLength, FOLDED_PARTS], cost: DIGIT_COST };
  return [
    { ...whole, stage: tallyStage, buffers: ['counters', 'bins'] },
    { ...whole, stage: dealStage, buffers: ['counters', 'bins', 'pieces', 'firstPieces'] },
  ];
}
