import shader from '../../../../shaders/stages/reduce.wgsl';
import { readWrite } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';
import { defineMsmStage } from './msm-stage.js';
import type { PassChunk } from './pass-chunk.js';

/**
 * sum b B_b over the buckets of every row, all rows at once, in c - 1 rounds. The buckets with bit k of b set are summed
 * for every k: the round that halves the buckets' array leaves, in its upper half, those with the highest bit set, and the
 * rounds after it halve that array as well. In all two additions a bucket, and one after the other only one a round
 * (ICICLE's reduction by iterative halving). Bucket b holds the digit b + 1, so a last round adds the sum of all buckets, which is in
 * bucket 0 by then, to that of bit 0 in bucket 1.
 */
export const reduceStage = defineMsmStage({
  name: 'reduce',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets') },
  params: ['bucketsPerRow', 'arrays', 'half', 'source', 'targetAt'],
  shader,
  dispatches: ({ plan: { bucketsPerRow, additionCost }, rows, batch }: Pick<PassChunk, 'plan' | 'rows' | 'batch'>) => {
    const cost = FULL_ADDITION_COST * additionCost;
    const halvings = Array.from({ length: Math.log2(bucketsPerRow) }, (_, round) => {
      const half = bucketsPerRow >> (round + 1);
      const arrays = round + 1;
      return {
        first: 0,
        end: rows * batch * arrays * half,
        params: { bucketsPerRow, arrays, half, source: half, targetAt: 0 },
        cost,
      };
    });
    const last = {
      first: 0,
      end: rows * batch,
      params: { bucketsPerRow, arrays: 1, half: 1, source: 0, targetAt: 1 },
      cost,
    };
    return [...halvings, last];
  },
});
