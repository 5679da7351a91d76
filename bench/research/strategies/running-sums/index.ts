import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import addMultiple from '../lib/add-multiple.wgsl';
import { ROW_SUM_KERNELS, rowSums } from '../lib/row-sums.js';
import { defineStrategyStage, run, type Strategy } from '../strategy.js';
import shader from './segments.wgsl';

/** Segments of all rows: about as many as a large GPU runs threads at once. */
const SEGMENTS = 2 ** 14;

/**
 * Additions of a segment beside the two for each bucket, about: it is multiplied by the number of the buckets before
 * it.
 */
const MULTIPLE_ADDITIONS = 20;

/** Buckets of a segment: a power of 2. */
function segmentLength({ rows, bucketsPerRow }: MsmPlan): number {
  const length = 2 ** Math.round(Math.log2((rows * bucketsPerRow) / SEGMENTS));
  return Math.min(Math.max(length, 8), bucketsPerRow);
}

const segmentsStage = defineStrategyStage({
  name: 'running-sums',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: read('buckets'), slots: readWrite('partials') },
  params: ['bucketsPerRow', 'length'],
  libraries: [addMultiple],
  shader,
  bytes: (plan) => ({ partials: ((plan.rowsPerPass * plan.bucketsPerRow) / segmentLength(plan)) * plan.sumBytes }),
  dispatches: ({ plan, rows }: PassChunk) => {
    const length = segmentLength(plan);
    return [
      {
        first: 0,
        end: (rows * plan.bucketsPerRow) / length,
        params: { bucketsPerRow: plan.bucketsPerRow, length },
        cost: (2 * length + MULTIPLE_ADDITIONS) * FULL_ADDITION_COST,
      },
    ];
  },
});

export const runningSums: Strategy = {
  name: 'running sums',
  replaces: 'reduction',
  source: "RCLboMMSM, Algorithm 6; cuZK, TCHES 2023(3), the paper's step 2; ZPrize 2023's WebGPU entry",
  parts: () => ({
    reduce: {
      leaves: 'row sums',
      kernels: [segmentsStage, ...ROW_SUM_KERNELS],
      *steps(chunk) {
        yield* run(segmentsStage.dispatches(chunk));
        yield* rowSums(chunk, chunk.plan.bucketsPerRow / segmentLength(chunk.plan));
      },
    },
  }),
};
