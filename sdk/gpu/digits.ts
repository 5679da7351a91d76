import shader from '../../shaders/stages/digits.wgsl';
import { SCALAR_BYTES } from '../curves/index.js';
import { type Dispatch, type Job, type Stage, U32_BYTES } from './stage.js';

/** Work of cutting, counting or placing one digit, in point additions (measured on an H200 for BN254). */
export const DIGIT_COST = 0.03;

/** Cuts scalars into signed digits. Reference: `signedDigits` in sdk/msm/digits.ts. */
export const digitsStage: Stage = {
  name: 'digits',
  shader,
  usesPoints: false,
  workgroupSize: 256,
  access: ['read-only-storage', 'storage'],
  bytes: ({ chunkPoints, windowsPerPass }) => ({
    scalars: chunkPoints * SCALAR_BYTES,
    digits: chunkPoints * windowsPerPass * U32_BYTES,
  }),
};

/** The digits of the chunk's scalars `from` to `to` - 1. */
export function cutDigits({ plan, firstWindow, windows, points }: Job, from: number, to: number): Dispatch {
  return {
    stage: digitsStage,
    first: from,
    end: to,
    params: [plan.windowBits, firstWindow, firstWindow + windows, points],
    buffers: ['scalars', 'digits'],
    cost: DIGIT_COST * windows,
  };
}
