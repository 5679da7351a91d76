import shader from '../../shaders/stages/reduce.wgsl';
import { FULL_ADDITION_COST } from './merge.js';
import type { Dispatch, Job, Stage } from './stage.js';

/**
 * sum b B_b over the buckets of every window, all windows at once, in rounds. A round peels the highest bits off the bucket
 * numbers: with m sums left and S = 2^step, thread j takes the sums j + i m/S for i < S and leaves in their place the sum
 * A'_j = sum A_(j + i m/S), and the total T'_j = S * sum T_(j + i m/S) + sum i A_(j + i m/S). After the last round the total
 * is sum b A_b over 0 <= b < m of the first; one more A, since bucket b holds the digit b + 1, makes it the window's sum.
 */
export const reduceStage: Stage = {
  name: 'reduce',
  shader,
  usesPoints: true,
  workgroupSize: 64,
  access: ['storage', 'storage'],
  bytes: ({ windows, sumBytes }) => ({ windowSums: windows * sumBytes }),
};

/** Additions and doublings that one thread of a round does, one after the other. */
export function reductionOperations(step: number, isFirst: boolean): number {
  const size = 1 << step;
  return isFirst ? 2 * (size - 1) : 3 * (size - 1) + step;
}

export function reduceBuckets({ plan, firstWindow, windows }: Job): Dispatch[] {
  let length = plan.bucketsPerWindow;
  return plan.reduceSteps.map((step, round): Dispatch => {
    const isFirst = round === 0;
    const isLast = round === plan.reduceSteps.length - 1;
    const params = [plan.bucketsPerWindow, length >> step, step, isFirst ? 1 : 0, isLast ? 1 : 0, firstWindow];
    length >>= step;
    return {
      stage: reduceStage,
      first: 0,
      end: windows * length,
      params,
      buffers: ['buckets', 'windowSums'],
      cost: reductionOperations(step, isFirst) * FULL_ADDITION_COST,
    };
  });
}
