import collectShader from '../../../../../shaders/stages/collect.wgsl';
import joinShader from '../../../../../shaders/stages/join.wgsl';
import reduceShader from '../../../../../shaders/stages/reduce.wgsl';
import { readWrite } from '../../runtime/stage.js';
import { FULL_ADDITION_COST } from '../cost.js';
import { bitSumsBytes, setsPerRow } from '../plan.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOfSet, type PassChunk } from './pass-chunk.js';

/**
 * Adds the buckets of a row's other sets to its first set, which is then reduced. Rows have several sets with the
 * reduction `cross-window`: one per window.
 */
export const joinStage = defineMsmStage({
  name: 'join',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets') },
  params: ['sets', 'nextSet'],
  shader: joinShader,
  dispatches: (pass: Pick<PassChunk, 'plan' | 'rows' | 'batch'>) => {
    const sets = setsPerRow(pass.plan);
    const nextSet = bucketsOfSet(pass);
    const cost = (sets - 1) * FULL_ADDITION_COST * pass.plan.additionCost;
    return [{ first: 0, end: nextSet, params: { sets, nextSet }, cost }];
  },
});

/**
 * Bucket reduction: sum b B_b over the buckets of every row, all rows at once, in c - 1 rounds. For every k the buckets
 * with bit k of b set are added up: the round that halves the array of buckets leaves the buckets with the highest bit
 * set in its upper half, and later rounds halve that array as well. In all two additions per bucket, and only one per
 * round sequentially (ICICLE's reduction by iterative halving). Bucket b holds the digit b + 1, so a last round adds
 * the sum of all buckets, by then in bucket 0, to the sum of bit 0 in bucket 1.
 */
export const reduceStage = defineMsmStage({
  name: 'reduce',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets') },
  params: ['bucketsPerRow', 'arrays', 'half', 'source', 'targetAt'],
  shader: reduceShader,
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

/** Writes each row's result as `windowBits` bit sums S_k, from which the host computes sum 2^k S_k. */
export const collectStage = defineMsmStage({
  name: 'collect',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets'), bitSums: readWrite('bitSums') },
  params: ['windowBits', 'bucketsPerRow', 'rowsOfPass', 'rows', 'firstTarget'],
  shader: collectShader,
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
