import shader from '../../shaders/stages/scatter.wgsl';
import { DIGIT_COST } from './digits.js';
import { type Dispatch, type Job, type Stage, U32_BYTES } from './stage.js';

/** Sorts the points by bucket: each goes to its bucket's offset plus its rank. */
export const scatterStage: Stage = {
  name: 'scatter',
  shader,
  usesPoints: false,
  workgroupSize: 256,
  access: ['read-only-storage', 'read-only-storage', 'read-only-storage', 'storage'],
  bytes: ({ chunkPoints, windowsPerPass }) => ({ sorted: chunkPoints * windowsPerPass * U32_BYTES }),
};

export function scatterPoints({ plan, windows, points, baseIndex }: Job): Dispatch {
  return {
    stage: scatterStage,
    first: 0,
    end: points,
    params: [windows, points, plan.bucketsPerWindow, baseIndex],
    buffers: ['digits', 'ranks', 'counters', 'sorted'],
    cost: DIGIT_COST * windows,
  };
}
