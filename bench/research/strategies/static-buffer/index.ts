import { DIGIT_COST, FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import { bucketCount, digitCount } from '../../../../sdk/executors/gpu/msm/plan.js';
import { bucketsOf, digitsOf, type PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { given, read, readWrite, U32_BYTES } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { shareCount } from '../lib/equal-shares.js';
import findBucket from '../lib/find-bucket.wgsl';
import { clear, defineStrategyStage, run, type Strategy } from '../strategy.js';
import accumulateShader from './accumulate.wgsl';
import mergeShader from './merge.wgsl';
import settleShader from './settle.wgsl';

/** The parameters of the three kernels that tell how the list is shared. */
function sharing(chunk: PassChunk): { readonly bucketCount: number; readonly shares: number } {
  return { bucketCount: bucketsOf(chunk), shares: shareCount(digitsOf(chunk)) };
}

const accumulateStage = defineStrategyStage({
  name: 'static-buffer',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'bases',
  bindings: {
    bases: given('read'),
    sorted: read('sorted'),
    offsets: read('counters'),
    firstBuckets: readWrite('firstBuckets'),
    slots: readWrite('partials'),
  },
  params: ['bucketCount', 'shares'],
  libraries: [findBucket],
  shader: accumulateShader,
  bytes: (plan) => {
    const shares = shareCount(digitCount(plan));
    return { firstBuckets: shares * U32_BYTES, partials: (shares + bucketCount(plan)) * plan.sumBytes };
  },
  dispatches: (chunk: PassChunk) => {
    const params = sharing(chunk);
    return [
      {
        first: 0,
        end: params.shares,
        params,
        buffers: { bases: chunk.bases },
        cost: digitsOf(chunk) / params.shares,
      },
    ];
  },
});

const mergeStage = defineStrategyStage({
  name: 'static-buffer-merge',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: {
    offsets: read('counters'),
    firstBuckets: read('firstBuckets'),
    slots: readWrite('partials'),
  },
  params: ['bucketCount', 'shares', 'distance'],
  shader: mergeShader,
  dispatches: (chunk: PassChunk) => {
    const params = sharing(chunk);
    const rounds = Math.ceil(Math.log2(params.shares));
    return Array.from({ length: rounds }, (_, round) => ({
      first: 0,
      end: params.shares,
      params: { ...params, distance: 2 ** round },
      cost: FULL_ADDITION_COST / 4,
    }));
  },
});

const settleStage = defineStrategyStage({
  name: 'static-buffer-settle',
  entry: 'threads',
  workgroupSize: 256,
  bindings: { offsets: read('counters'), slots: read('partials'), buckets: readWrite('buckets') },
  params: ['bucketCount', 'shares', 'sumWords'],
  shader: settleShader,
  bytes: (plan) => ({ buckets: bucketCount(plan) * plan.sumBytes }),
  dispatches: (chunk: PassChunk) => [
    {
      first: 0,
      end: bucketsOf(chunk),
      params: { ...sharing(chunk), sumWords: chunk.plan.sumBytes / U32_BYTES },
      cost: DIGIT_COST,
    },
  ],
});

export const staticBuffer: Strategy = {
  name: 'static buffer',
  replaces: 'accumulation',
  source: 'RCLboMMSM, Algorithm 5; Chen et al., TCHES 2024(2)',
  parts: () => ({
    accumulate: {
      kernels: [accumulateStage, mergeStage, settleStage],
      *steps(chunk) {
        yield clear('buckets');
        for (const stage of [accumulateStage, mergeStage, settleStage]) yield* run(stage.dispatches(chunk));
      },
    },
  }),
};
