import shader from '../../../../shaders/stages/collect.wgsl';
import { readWrite } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';
import { defineMsmStage } from './msm-stage.js';
import type { PassChunk } from './pass-chunk.js';
import { bitSumsBytes } from './plan.js';

/** Gives each row's sum as `windowBits` sums of one bit each: sum 2^k S_k, which the host puts together. */
export const collectStage = defineMsmStage({
  name: 'collect',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets'), bitSums: readWrite('bitSums') },
  params: ['windowBits', 'bucketsPerRow', 'rowsOfPass', 'rows', 'firstTarget'],
  shader,
  bytes: (plan) => ({ bitSums: bitSumsBytes(plan) }),
  dispatches: ({ plan, firstRow, rows, batch, firstOfBatch }: Omit<PassChunk, 'bases'>) => [
    {
      first: 0,
      end: rows * batch * plan.windowBits,
      params: {
        windowBits: plan.windowBits,
        bucketsPerRow: plan.bucketsPerRow,
        rowsOfPass: rows,
        rows: plan.rows,
        firstTarget: firstOfBatch * plan.rows + firstRow,
      },
      cost: FULL_ADDITION_COST * plan.additionCost,
    },
  ],
});
