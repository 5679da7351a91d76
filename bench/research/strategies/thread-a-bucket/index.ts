import { bucketCount } from '../../../../sdk/executors/gpu/msm/plan.js';
import { bucketsOf, digitsOf, type PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { given, read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { clear, defineStrategyStage, run, type Strategy } from '../strategy.js';
import shader from './accumulate.wgsl';

const accumulateStage = defineStrategyStage({
  name: 'thread-a-bucket',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'bases',
  bindings: { bases: given('read'), sorted: read('sorted'), offsets: read('counters'), buckets: readWrite('buckets') },
  params: [],
  shader,
  bytes: (plan) => ({ buckets: bucketCount(plan) * plan.sumBytes }),
  dispatches: (chunk: PassChunk) => [
    {
      first: 0,
      end: bucketsOf(chunk),
      params: {},
      buffers: { bases: chunk.bases },
      cost: digitsOf(chunk) / bucketsOf(chunk),
    },
  ],
});

export const threadABucket: Strategy = {
  name: 'thread a bucket',
  replaces: 'accumulation',
  source: "the sparse matrix-vector product of ZPrize 2023's WebGPU entry (Derei, Koh)",
  parts: () => ({
    accumulate: {
      kernels: [accumulateStage],
      *steps(chunk) {
        yield clear('buckets');
        yield* run(accumulateStage.dispatches(chunk));
      },
    },
  }),
};
