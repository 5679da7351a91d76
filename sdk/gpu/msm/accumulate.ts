import shader from '../../../shaders/stages/accumulate.wgsl';
import { type Dispatch, type Job, rowsOf, type Stage } from '../runtime/stage.js';
import { digitCount } from './digit-stage.js';
import { bucketCount, bucketsOf, pieceCount, slotCount } from './pieces.js';

/** Entries of the sorted list of a job, at most. */
export function entriesOf(job: Job): number {
  return job.points * rowsOf(job);
}

/** Sums the points of every piece: of a full one to a slot, of the last one of a bucket to the bucket. */
export const accumulateStage: Stage = {
  name: 'accumulate',
  shader,
  prelude: 'bases',
  workgroupSize: 64,
  access: [
    'read-only-storage',
    'read-only-storage',
    'read-only-storage',
    'read-only-storage',
    'read-only-storage',
    'read-only-storage',
    'storage',
    'storage',
  ],
  bytes: (plan) => ({
    buckets: bucketCount(plan) * plan.sumBytes,
    ranksThenSlots: slotCount(digitCount(plan), plan.pieceLength) * plan.sumBytes,
  }),
};

export function accumulatePieces(job: Job): Dispatch {
  const { plan, bases, continued } = job;
  const entries = entriesOf(job);
  const pieces = pieceCount(entries, bucketsOf(job), plan.pieceLength);
  return {
    stage: accumulateStage,
    first: 0,
    end: pieces,
    params: [plan.pieceLength, continued ? 1 : 0],
    buffers: [bases, 'sorted', 'counters', 'pieces', 'firstPieces', 'bins', 'buckets', 'ranksThenSlots'],
    cost: entries / pieces,
  };
}
