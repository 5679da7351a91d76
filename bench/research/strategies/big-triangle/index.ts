import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { clear, defineStrategyStage, run, type Strategy } from '../strategy.js';
import shader from './triangle.wgsl';

/** Buckets of a row that a dispatch takes at most: a few tens of milliseconds. */
const BUCKETS_A_DISPATCH = 2048;

/** A thread alone is slower than one among the many by which the cost of an addition was measured. */
const LONE_THREAD = 256;

const triangleStage = defineStrategyStage({
  name: 'big-triangle',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: read('buckets'), slots: readWrite('partials'), bitSums: readWrite('bitSums') },
  params: ['bucketsPerRow', 'beginBucket', 'endBucket', 'firstRow'],
  shader,
  bytes: (plan) => ({ partials: 2 * plan.rowsPerPass * plan.sumBytes, bitSums: plan.rows * plan.sumBytes }),
  dispatches: ({ plan: { bucketsPerRow }, rows, firstRow }: PassChunk) => {
    const dispatches = Math.ceil(bucketsPerRow / BUCKETS_A_DISPATCH);
    return Array.from({ length: dispatches }, (_, i) => {
      const endBucket = bucketsPerRow - i * BUCKETS_A_DISPATCH;
      const beginBucket = Math.max(0, endBucket - BUCKETS_A_DISPATCH);
      return {
        first: 0,
        end: rows,
        params: { bucketsPerRow, beginBucket, endBucket, firstRow },
        cost: 2 * (endBucket - beginBucket) * FULL_ADDITION_COST * LONE_THREAD,
      };
    });
  },
});

export const bigTriangle: Strategy = {
  name: 'big triangle',
  replaces: 'reduction',
  source: 'ICICLE (`is_big_triangle`): one thread a row',
  parts: () => ({
    reduce: {
      leaves: 'row sums',
      kernels: [triangleStage],
      *steps(chunk) {
        yield clear('partials');
        yield* run(triangleStage.dispatches(chunk));
      },
    },
  }),
};
