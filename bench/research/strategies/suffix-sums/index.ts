import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import { bucketsOf, type PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { given, read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import addMultiple from '../lib/add-multiple.wgsl';
import { shareCount } from '../lib/equal-shares.js';
import findBucket from '../lib/find-bucket.wgsl';
import { ROW_SUM_KERNELS, rowSums } from '../lib/row-sums.js';
import { clear, defineStrategyStage, run, type Strategy } from '../strategy.js';
import shader from './sums.wgsl';

/** Parts into which the entries of a row are cut: a power of 2. */
function partsOfRow({ points, multiples, rows }: MsmPlan): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, shareCount(points * multiples * rows) / rows)));
}

/** Additions of a part for each bucket that it meets, about: most often the digit falls by 1. */
const ADDITIONS_A_BUCKET = 1.5;

/** Additions of a part at its first entry, about. */
const LAST_ADDITIONS = 20;

const sumsStage = defineStrategyStage({
  name: 'suffix-sums',
  entry: 'threads',
  workgroupSize: 64,
  // A running sum is added to another sum in the same kernel, which only products by limbs have.
  arithmetic: 'points',
  bindings: { bases: given('read'), sorted: read('sorted'), offsets: read('counters'), slots: readWrite('partials') },
  params: ['bucketsPerRow', 'bucketCount', 'parts'],
  libraries: [findBucket, addMultiple],
  shader,
  bytes: (plan) => ({ partials: plan.rowsPerPass * partsOfRow(plan) * plan.sumBytes }),
  dispatches: (chunk: PassChunk) => {
    const { plan } = chunk;
    const parts = partsOfRow(plan);
    const entries = (plan.points * plan.multiples) / parts;
    const buckets = Math.min(entries, plan.bucketsPerRow / parts);
    return [
      {
        first: 0,
        end: chunk.rows * parts,
        params: { bucketsPerRow: plan.bucketsPerRow, bucketCount: bucketsOf(chunk), parts },
        buffers: { bases: chunk.bases },
        cost: entries + (buckets * ADDITIONS_A_BUCKET + LAST_ADDITIONS) * FULL_ADDITION_COST,
      },
    ];
  },
});

export const suffixSums: Strategy = {
  name: 'suffix sums',
  replaces: 'accumulation and reduction',
  source: "6block's entry to ZPrize 2022: no buckets, but running sums over the sorted points themselves",
  parts: () => ({
    accumulate: {
      kernels: [sumsStage],
      *steps(chunk) {
        yield clear('partials');
        yield* run(sumsStage.dispatches(chunk));
      },
    },
    reduce: {
      leaves: 'row sums',
      kernels: ROW_SUM_KERNELS,
      *steps(chunk) {
        yield* rowSums(chunk, partsOfRow(chunk.plan));
      },
    },
  }),
};
