import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import { bucketCount } from '../../../../sdk/executors/gpu/msm/plan.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { defineStrategyStage, run, type Strategy } from '../strategy.js';
import leaveShader from './leave.wgsl';
import mergeShader from './merge.wgsl';

const mergeStage = defineStrategyStage({
  name: 'layered-merge',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets'), slots: readWrite('partials') },
  params: ['size'],
  shader: mergeShader,
  bytes: (plan) => ({ partials: bucketCount(plan) * plan.sumBytes }),
  dispatches: ({ plan: { bucketsPerRow }, rows }: PassChunk) =>
    Array.from({ length: Math.log2(bucketsPerRow) }, (_, layer) => ({
      first: 0,
      end: (rows * bucketsPerRow) / 2 ** (layer + 1),
      params: { size: 2 ** layer },
      cost: (layer + 3) * FULL_ADDITION_COST,
    })),
});

const leaveStage = defineStrategyStage({
  name: 'layered-leave',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: read('buckets'), slots: read('partials'), bitSums: readWrite('bitSums') },
  params: ['bucketsPerRow', 'firstRow'],
  shader: leaveShader,
  bytes: (plan) => ({ bitSums: plan.rows * plan.sumBytes }),
  dispatches: ({ plan: { bucketsPerRow }, rows, firstRow }: PassChunk) => [
    { first: 0, end: rows, params: { bucketsPerRow, firstRow }, cost: FULL_ADDITION_COST },
  ],
});

export const layered: Strategy = {
  name: 'layered reduction',
  replaces: 'reduction',
  source: 'Chen et al., TCHES 2024(2), whose number of layers is the logarithm of the number of buckets',
  parts: () => ({
    reduce: {
      leaves: 'row sums',
      kernels: [mergeStage, leaveStage],
      *steps(chunk) {
        yield* run(mergeStage.dispatches(chunk));
        yield* run(leaveStage.dispatches(chunk));
      },
    },
  }),
};
