import shader from '../../shaders/stages/fold.wgsl';
import { entriesOf } from './accumulate.js';
import { FULL_ADDITION_COST } from './cost.js';
import { fullPieces } from './pieces.js';
import type { Dispatch, Job, Stage } from './stage.js';

/** Sums that become one in a round: a thread's additions one after the other, and one more. */
export const FOLDED_PARTS = 8;

/**
 * Adds up the sums of the full pieces of large buckets, so that no bucket leaves more than a few to merge, whatever the
 * scalars. For scalars that spread over the buckets there is nothing to do.
 */
export const foldStage: Stage = {
  name: 'fold',
  shader,
  prelude: 'points',
  workgroupSize: 64,
  access: ['read-only-storage', 'read-only-storage', 'storage'],
  bytes: () => ({}),
};

/** Slots of the largest groups that are folded: a bucket lies within one window, and has so many full pieces at most. */
export function largestFold({ points, plan }: Pick<Job, 'points' | 'plan'>): number {
  let largest = 1;
  while (largest * FOLDED_PARTS <= fullPieces(points, plan.pieceLength)) largest *= FOLDED_PARTS;
  return largest;
}

export function foldSlots(job: Job): Dispatch[] {
  const slots = fullPieces(entriesOf(job), job.plan.pieceLength);
  const rounds: Dispatch[] = [];
  for (let unit = 1; unit < largestFold(job); unit *= FOLDED_PARTS) {
    rounds.push({
      stage: foldStage,
      first: 0,
      end: Math.floor(slots / (unit * FOLDED_PARTS)),
      params: [unit, FOLDED_PARTS],
      buffers: ['pieces', 'bins', 'ranksThenSlots'],
      cost: (FOLDED_PARTS - 1) * FULL_ADDITION_COST,
    });
  }
  return rounds;
}
