import shader from '../../shaders/stages/merge.wgsl';
import { FULL_ADDITION_COST } from './cost.js';
import { FOLDED_PARTS, largestFold } from './fold.js';
import { bucketsOf } from './pieces.js';
import type { Dispatch, Job, Stage } from './stage.js';

/** Adds to every bucket the sums of its full pieces. */
export const mergeStage: Stage = {
  name: 'merge',
  shader,
  prelude: 'points',
  workgroupSize: 64,
  access: ['read-only-storage', 'read-only-storage', 'read-only-storage', 'storage'],
  bytes: () => ({}),
};

export function mergeSlots(job: Job): Dispatch {
  const { pieceLength } = job.plan;
  return {
    stage: mergeStage,
    first: 0,
    end: bucketsOf(job),
    params: [pieceLength, FOLDED_PARTS, largestFold(job)],
    buffers: ['counters', 'firstPieces', 'ranksThenSlots', 'buckets'],
    cost: FULL_ADDITION_COST / 4,
  };
}
