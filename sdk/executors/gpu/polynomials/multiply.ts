import shader from '../../../../shaders/quotient/multiply.wgsl';
import { given, read } from '../runtime/stage.js';
import { MULTIPLY_COST } from './cost.js';
import { defineQuotientStage, type QuotientBuffer } from './quotient-stage.js';

/** An element-wise product, from which a vector may be subtracted, times a constant; and a vector that may be added to it. */
export interface MultiplyWork {
  readonly count: number;
  readonly subtracted?: QuotientBuffer;
  readonly added?: GPUBuffer | undefined;
  /** Constants, and the number of the one that the result is multiplied by. */
  readonly factors: GPUBuffer;
  readonly factor: number;
  readonly result: QuotientBuffer | GPUBuffer;
}

/** Element i of the result: (a_i b_i / R - c_i) f / R + m_i, canonical. */
export const multiplyStage = defineQuotientStage({
  name: 'multiply',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: {
    a: read('a', 'vec4u'),
    b: read('b', 'vec4u'),
    subtracted: given('read', 'vec4u'),
    added: given('read', 'vec4u'),
    factors: given('read', 'vec4u'),
    result: given('read_write', 'vec4u'),
  },
  params: ['products', 'subtracts', 'adds', 'factor'],
  shader,
  dispatches: ({ count, subtracted, added, factors, factor, result }: MultiplyWork) => [
    {
      first: 0,
      end: count,
      params: {
        products: 2,
        subtracts: subtracted === undefined ? 0 : 1,
        adds: added === undefined ? 0 : 1,
        factor,
      },
      // Something must be bound; without a vector to subtract or to add it is not read.
      buffers: { subtracted: subtracted ?? 'a', added: added ?? ('a' as const), factors, result },
      cost: MULTIPLY_COST,
    },
  ],
});
