import { bucketCount } from '../../../../sdk/executors/gpu/msm/plan.js';
import { bucketsOf, digitsOf, type PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { given, read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { shareCount } from '../lib/equal-shares.js';
import findBucket from '../lib/find-bucket.wgsl';
import { clear, defineStrategyStage, run, type Strategy } from '../strategy.js';
import shader from './accumulate.wgsl';

const accumulateStage = defineStrategyStage({
  name: 'ranges-to-bucket-ends',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'bases',
  bindings: { bases: given('read'), sorted: read('sorted'), offsets: read('counters'), buckets: readWrite('buckets') },
  params: ['bucketCount', 'ranges'],
  libraries: [findBucket],
  shader,
  bytes: (plan) => ({ buckets: bucketCount(plan) * plan.sumBytes }),
  dispatches: (chunk: PassChunk) => {
    const entries = digitsOf(chunk);
    const ranges = shareCount(entries);
    return [
      {
        first: 0,
        end: ranges,
        params: { bucketCount: bucketsOf(chunk), ranges },
        buffers: { bases: chunk.bases },
        cost: entries / ranges,
      },
    ];
  },
});

export const rangesToBucketEnds: Strategy = {
  name: 'ranges to bucket ends',
  replaces: 'accumulation',
  source: "cuZK's entry to ZPrize 2022 (Lu et al., TCHES 2023, describe the paper's own way)",
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
