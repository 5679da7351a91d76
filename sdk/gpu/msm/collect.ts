import shader from '../../../shaders/stages/collect.wgsl';
import { type Dispatch, type Job, rowsOf, type Stage } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';

/** Gives each window's sum as `windowBits` sums of one bit each: sum 2^k S_k, which the host puts together. */
export const collectStage: Stage = {
  name: 'collect',
  shader,
  prelude: 'points',
  workgroupSize: 64,
  access: ['storage', 'storage'],
  bytes: ({ windows, windowBits, batch, sumBytes }) => {
    const bytes = windows * windowBits * batch * sumBytes;
    return { bitSums: bytes, readback: bytes };
  },
};

export function collectBits(job: Job): Dispatch {
  const { plan, firstWindow, windows, firstOfBatch } = job;
  const target = firstOfBatch * plan.windows + firstWindow;
  return {
    stage: collectStage,
    first: 0,
    end: rowsOf(job) * plan.windowBits,
    params: [plan.windowBits, plan.bucketsPerWindow, windows, plan.windows, target],
    buffers: ['buckets', 'bitSums'],
    cost: FULL_ADDITION_COST,
  };
}
