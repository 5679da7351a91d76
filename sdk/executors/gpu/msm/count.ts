import shader from '../../../../shaders/stages/count.wgsl';
import { SCALAR_BYTES } from '../../../curves/index.js';
import { atomic, readWrite } from '../runtime/stage.js';
import { digitBytes, digitStages } from './digit-stage.js';

/**
 * Counts the digits of each bucket and ranks them; the counters begin at zero. Reference of the digits: `signedDigits` in
 * sdk/bases/digits.ts.
 */
export const countStages = digitStages({
  name: 'count',
  shader,
  bindings: { counters: atomic('counters'), ranks: readWrite('ranks') },
  bytes: (plan) => ({
    source: plan.digitsFrom === 'scalars' ? plan.chunkPoints * plan.batchPerPass * SCALAR_BYTES : digitBytes(plan),
    ranks: digitBytes(plan),
  }),
});
