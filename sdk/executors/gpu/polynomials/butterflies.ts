import shader from '../../../../shaders/quotient/butterflies.wgsl';
import { given } from '../runtime/stage.js';
import { BUTTERFLY_COST } from './cost.js';
import { defineQuotientStage, type QuotientBuffer } from './quotient-stage.js';
import { MAX_TILE_LOG, type TransformPass } from './transform-passes.js';

const THREADS = 256;

/** A pass over 2^log elements: down through its levels, which is part of an inverse transform, or up, or down and up. */
export interface ButterflyPass extends TransformPass {
  readonly log: number;
  readonly data: QuotientBuffer;
  /** At least 2^log of them. */
  readonly factors: GPUBuffer;
  readonly falls: boolean;
  readonly rises: boolean;
}

/**
 * Some levels of transforms in place: of an inverse one, from natural to bit-reversed order and without the division by the size, or of one
 * from there to the values at the odd powers of a primitive root of twice the order, in natural order. The shift to the coset lies in the
 * factors and costs no product.
 */
export const butterflyStage = defineQuotientStage({
  name: 'butterflies',
  entry: 'workgroups',
  workgroupSize: THREADS,
  arithmetic: 'field',
  bindings: { data: given('read_write', 'vec4u'), factors: given('read', 'vec4u') },
  params: ['low', 'levels', 'columns', 'falling', 'rising'],
  constants: { TILE: 2 ** MAX_TILE_LOG },
  shader,
  dispatches: ({ log, data, factors, low, levels, columns, falls, rises }: ButterflyPass) => {
    const falling = falls ? levels : 0;
    const rising = rises ? levels : 0;
    return [
      {
        first: 0,
        end: 2 ** (log - levels - columns) * THREADS,
        params: { low, levels, columns, falling, rising },
        buffers: { data, factors },
        cost: Math.max(1, falling + rising) * BUTTERFLY_COST,
      },
    ];
  },
});
