import shader from '../../../shaders/stages/scatter.wgsl';
import type { Dispatch, Job } from '../runtime/stage.js';
import { digitBytes, digitStages, dispatchDigits } from './digit-stage.js';

/** Sorts the points by bucket: each goes to its bucket's offset plus its rank. */
export const scatterStages = digitStages({
  name: 'scatter',
  shader,
  access: ['read-only-storage', 'read-only-storage', 'read-only-storage', 'storage'],
  bytes: (plan) => ({ sorted: digitBytes(plan) }),
});

export function scatterPoints(job: Job): Dispatch {
  return dispatchDigits(scatterStages, job, 0, job.points * job.batch, ['ranksThenSlots', 'counters', 'sorted']);
}
