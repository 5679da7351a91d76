import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import { reduceStage } from '../../../../sdk/executors/gpu/msm/stages/bucket-reduction.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { defineStrategyStage, type Reduction, run } from '../strategy.js';
import shader from './collect-bits.wgsl';

interface Collection {
  readonly chunk: PassChunk;
  /** 1 where bucket i holds the digit 2 i + 1, else 0. */
  readonly shift: 0 | 1;
}

const collectBitsStage = defineStrategyStage({
  name: 'strategy-collect-bits',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets'), bitSums: readWrite('bitSums') },
  params: ['windowBits', 'bucketsPerRow', 'bucketBits', 'firstRow', 'shift'],
  shader,
  bytes: (plan) => ({ bitSums: plan.rows * plan.windowBits * plan.sumBytes }),
  dispatches: ({ chunk: { plan, rows, firstRow }, shift }: Collection) => [
    {
      first: 0,
      end: rows * plan.windowBits,
      params: {
        windowBits: plan.windowBits,
        bucketsPerRow: plan.bucketsPerRow,
        bucketBits: Math.log2(plan.bucketsPerRow),
        firstRow,
        shift,
      },
      cost: FULL_ADDITION_COST,
    },
  ],
});

/**
 * The shipped reduction, of a row with a power of 2 of buckets, as many as its window has bits for. Bucket i holds the
 * digit i + 1.
 */
export const halvingOfAnyRow: Reduction = {
  leaves: 'bits',
  kernels: [reduceStage, collectBitsStage],
  *steps(chunk) {
    yield* run(reduceStage.dispatches(chunk));
    yield* run(collectBitsStage.dispatches({ chunk, shift: 0 }));
  },
};

/** The same where bucket i holds the digit 2 i + 1: sum (2 i + 1) B_i. */
export const halvingOfOddRow: Reduction = {
  leaves: 'bits',
  kernels: [reduceStage, collectBitsStage],
  *steps(chunk) {
    // The last round adds the sum of all buckets to that of bit 0, for digits i + 1.
    yield* run(reduceStage.dispatches(chunk).slice(0, -1));
    yield* run(collectBitsStage.dispatches({ chunk, shift: 1 }));
  },
};
