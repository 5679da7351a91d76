import shader from '../../../shaders/stages/reduce.wgsl';
import { type Dispatch, type Job, rowsOf, type Stage } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';

/**
 * sum b B_b over the buckets of every window, all windows at once, in c - 1 rounds. The buckets with bit k of b set are summed
 * for every k: the round that halves the buckets' array leaves, in its upper half, those with the highest bit set, and the
 * rounds after it halve that array as well. In all two additions a bucket, and one after the other only one a round
 * (ICICLE's reduction by iterative halving).
 */
export const reduceStage: Stage = {
  name: 'reduce',
  shader,
  prelude: 'points',
  workgroupSize: 64,
  access: ['storage'],
  bytes: () => ({}),
};

export function reduceBuckets(job: Job): Dispatch[] {
  const { bucketsPerWindow } = job.plan;
  const rounds: Dispatch[] = [];
  for (let half = bucketsPerWindow / 2; half >= 1; half /= 2) {
    const arrays = rounds.length + 1;
    rounds.push({
      stage: reduceStage,
      first: 0,
      end: rowsOf(job) * arrays * half,
      params: [bucketsPerWindow, arrays, half],
      buffers: ['buckets'],
      cost: FULL_ADDITION_COST,
    });
  }
  return rounds;
}
