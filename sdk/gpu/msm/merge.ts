import shader from '../../../shaders/stages/merge.wgsl';
import type { Dispatch, Job, Stage } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';
import { bucketsOf, FOLDED_PARTS } from './pieces.js';

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
  return {
    stage: mergeStage,
    first: 0,
    end: bucketsOf(job),
    params: [job.plan.pieceLength, FOLDED_PARTS],
    buffers: ['counters', 'firstPieces', 'ranksThenSlots', 'buckets'],
    cost: FULL_ADDITION_COST / 4,
  };
}
