import shader from '../../shaders/stages/count.wgsl';
import { DIGIT_COST } from './digits.js';
import { type Dispatch, type Job, type Stage, U32_BYTES } from './stage.js';

/** Counts the digits of each bucket and ranks them. */
export const countStage: Stage = {
  name: 'count',
  shader,
  usesPoints: false,
  workgroupSize: 256,
  access: ['read-only-storage', 'storage', 'storage'],
  bytes: ({ chunkPoints, windowsPerPass }) => ({ ranks: chunkPoints * windowsPerPass * U32_BYTES }),
};

/** Counts the digits of the chunk's points `from` to `to` - 1; the counters begin at zero. */
export function countDigits({ plan, windows, points }: Job, from: number, to: number): Dispatch {
  return {
    stage: countStage,
    first: from,
    end: to,
    params: [windows, points, plan.bucketsPerWindow],
    buffers: ['digits', 'counters', 'ranks'],
    cost: DIGIT_COST * windows,
  };
}
