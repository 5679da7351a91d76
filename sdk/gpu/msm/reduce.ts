import shader from '../../../shaders/stages/reduce.wgsl';
import { readWrite } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';
import { defineMsmStage } from './msm-stage.js';
import type { PassChunk } from './pass-chunk.js';

/**
 * sum b B_b over the buckets of every row, all rows at once, in c - 1 rounds. The buckets with bit k of b set are summed
 * for every k: the round that halves the buckets' array leaves, in its upper half, those with the highest bit set, and the
 * rounds after it halve that array as well. In all two additions a bucket, and one after the other only one a round
 * (ICICLE's reduction by iterative halving).
 */
export const reduceStage = defineMsmStage({
  name: 'reduce',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets') },
  params: ['bucketsPerRow', 'arrays', 'half'],
  shader,
  dispatches: ({ plan: { bucketsPerRow, additionCost }, rows, batch }: Pick<PassChunk, 'plan' | 'rows' | 'batch'>) =>
    Array.from({ length: Math.log2(bucketsPerRow) }, (_, round) => {
      const half = bucketsPerRow >> (round + 1);
      const arrays = round + 1;
      return {
        first: 0,
        end: rows * batch * arrays * half,
        params: { bucketsPerRow, arrays, half },
        cost: FULL_ADDITION_COST * additionCost,
      };
    }),
});
