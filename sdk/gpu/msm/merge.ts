import shader from '../../../shaders/stages/merge.wgsl';
import { read, readWrite } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOf, type PassChunk } from './pass-chunk.js';
import { FOLDED_PARTS } from './pieces.js';

/** Adds to every bucket the sums of its full pieces. */
export const mergeStage = defineMsmStage({
  name: 'merge',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: {
    offsets: read('counters'),
    firstPieces: read('firstPieces'),
    slots: read('slots'),
    buckets: readWrite('buckets'),
  },
  params: ['pieceLength', 'foldedParts'],
  shader,
  dispatches: (chunk: PassChunk) => [
    {
      first: 0,
      end: bucketsOf(chunk),
      params: { pieceLength: chunk.plan.pieceLength, foldedParts: FOLDED_PARTS },
      cost: (FULL_ADDITION_COST / 4) * chunk.plan.additionCost,
    },
  ],
});
