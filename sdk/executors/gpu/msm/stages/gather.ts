import shader from '../../../../../shaders/stages/gather.wgsl';
import { given, readWrite } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import { defineMsmStage } from './msm-stage.js';

/** The scalars of some points, to be gathered from a buffer. */
export interface GatherWork {
  readonly scalars: GPUBuffer;
  /** The scalar that index 0 refers to. */
  readonly firstScalar: number;
  /** For each point the index of its scalar. */
  readonly indices: GPUBuffer;
  /** The position of the chunk's first point in the indices. */
  readonly firstIndex: number;
  /** The points of the chunk whose scalars are copied: `from` to `to` - 1. */
  readonly from: number;
  readonly to: number;
}

/** Gathers the scalars of a chunk's points from scalars that several MSMs share. */
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
