import shader from '../../../../shaders/quotient/twiddles.wgsl';
import { given } from '../runtime/stage.js';
import { twiddleCost } from './cost.js';
import { defineQuotientStage } from './quotient-stage.js';

/** What the factors are made of, and where they go. */
export interface TwiddleWork {
  /** There are 2^log factors. */
  readonly log: number;
  readonly roots: GPUBuffer;
  readonly factors: GPUBuffer;
}

/** The factors of transforms: t_b at b, as wasm/ntt/ntt.ts describes them, with inverse roots. */
export const twiddleStage = defineQuotientStage({
  name: 'twiddles',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'field',
  bindings: { roots: given('read', 'vec4u'), factors: given('read_write', 'vec4u') },
  params: [],
  shader,
  dispatches: ({ log, roots, factors }: TwiddleWork) => [
    { first: 0, end: 2 ** log, params: {}, buffers: { roots, factors }, cost: twiddleCost(log) },
  ],
});
