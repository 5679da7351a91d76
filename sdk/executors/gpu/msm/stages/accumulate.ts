import shader from '../../../../../shaders/stages/accumulate.wgsl';
import { given, read, readWrite } from '../../runtime/stage.js';
import { bucketCount, digitCount } from '../plan.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOf, digitsOf, type PassChunk } from './pass-chunk.js';
import { pieceCount, SLOTS_AT, slotCount } from './pieces.js';

/** Sums the points of every piece: of a full one to a slot, of the last one of a bucket to the bucket. */
export const accumulateStage = defineMsmStage({
  name: 'accumulate',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'bases',
  bindings: {
    bases: given('read'),
    sorted: read('sorted'),
    offsets: read('counters'),
    pieces: read('pieces'),
    firstPieces: read('firstPieces'),
    bins: read('bins'),
    buckets: readWrite('buckets'),
    slots: readWrite('slots'),
  },
  params: ['pieceLength', 'fullLength', 'continued'],
  constants: { SLOTS_AT },
  shader,
  bytes: (plan) => ({
    buckets: bucketCount(plan) * plan.sumBytes,
    slots: slotCount(digitCount(plan), plan.fullLength) * plan.sumBytes,
  }),
  dispatches: (chunk: PassChunk) => {
    const { plan, bases, continued } = chunk;
    const entries = digitsOf(chunk);
    const pieces = pieceCount(entries, bucketsOf(chunk), plan.fullLength);
    return [
      {
        first: 0,
        end: pieces,
        params: { pieceLength: plan.pieceLength, fullLength: plan.fullLength, continued: continued ? 1 : 0 },
        buffers: { bases },
        cost: (entries / pieces) * plan.additionCost,
      },
    ];
  },
});
