import shader from '../../../shaders/stages/count.wgsl';
import { SCALAR_BYTES } from '../../curves/index.js';
import type { Dispatch, Job } from '../runtime/stage.js';
import { digitBytes, digitStages, dispatchDigits } from './digit-stage.js';

/** Counts the digits of each bucket and ranks them. Reference of the digits: `signedDigits` in sdk/msm/digits.ts. */
export const countStages = digitStages({
  name: 'count',
  shader,
  access: ['read-only-storage', 'storage', 'storage'],
  bytes: (plan) => ({
    source: plan.digitsFrom === 'scalars' ? plan.chunkPoints * plan.batchPerPass * SCALAR_BYTES : digitBytes(plan),
    ranksThenSlots: digitBytes(plan),
  }),
});

/** Counts the digits of the chunk's scalars `from` to `to` - 1; the counters begin at zero. */
export function countDigits(job: Job, from: number, to: number): Dispatch {
  return dispatchDigits(countStages, job, from, to, ['counters', 'ranksThenSlots']);
}
