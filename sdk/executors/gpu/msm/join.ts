import shader from '../../../../shaders/stages/join.wgsl';
import { readWrite } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOfSet, type PassChunk } from './pass-chunk.js';
import { setsPerRow } from './plan.js';

/**
 * Adds the buckets of every other set of a row to those of its first set, which are reduced then. Rows have several sets with the reduction
 * `cross-window`: one for each window.
 */
export const joinStage = defineMsmStage({
  name: 'join',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { buckets: readWrite('buckets') },
  params: ['sets', 'nextSet'],
  shader,
  dispatches: (pass: Pick<PassChunk, 'plan' | 'rows' | 'batch'>) => {
    const sets = setsPerRow(pass.plan);
    const nextSet = bucketsOfSet(pass);
    const cost = (sets - 1) * FULL_ADDITION_COST * pass.plan.additionCost;
    return [{ first: 0, end: nextSet, params: { sets, nextSet }, cost }];
  },
});
