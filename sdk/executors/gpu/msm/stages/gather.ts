import shader from '../../../../../shaders/stages/gather.wgsl';
import { given, readWrite } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import { defineMsmStage } from './msm-stage.js';

/** The scalars of some points, among those of a buffer. */
export interface GatherWork {
  readonly scalars: GPUBuffer;
  /** The number of the first scalar to which the indices refer. */
  readonly firstScalar: number;
  /** For each point the number of its scalar. */
  readonly indices: GPUBuffer;
  /** The number of the chunk's first point among the indices. */
  readonly firstIndex: number;
  /** The points of the chunk whose scalars are copied: `from` to `to` - 1. */
  readonly from: number;
  readonly to: number;
}

/** Copies the scalars of a chunk's points out of those that several multiplications share. */
export const gatherStage = defineMsmStage({
  name: 'gather',
  entry: 'threads',
  workgroupSize: 256,
  bindings: { scalars: given('read', 'vec4u'), indices: given('read'), source: readWrite('source', 'vec4u') },
  params: ['firstScalar', 'firstIndex'],
  shader,
  dispatches: ({ scalars, firstScalar, indices, firstIndex, from, to }: GatherWork) => [
    { first: from, end: to, params: { firstScalar, firstIndex }, buffers: { scalars, indices }, cost: DIGIT_COST },
  ],
});
