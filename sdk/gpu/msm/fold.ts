import shader from '../../../shaders/stages/fold.wgsl';
import { read, readWrite } from '../runtime/stage.js';
import { FULL_ADDITION_COST } from './cost.js';
import { defineMsmStage } from './msm-stage.js';
import { digitsOf, type PassChunk } from './pass-chunk.js';
import { FOLDED_PARTS, fullPieces, SLOTS_AT, slotCount } from './pieces.js';

/**
 * Adds up the sums of the full pieces of large buckets, so that no bucket leaves more than a few to merge, whatever the
 * scalars. For scalars that spread over the buckets there is nothing to do.
 */
export const foldStage = defineMsmStage({
  name: 'fold',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: { offsets: read('counters'), pieces: read('pieces'), bins: read('bins'), slots: readWrite('slots') },
  params: ['pieceLength', 'unit', 'foldedParts'],
  constants: { SLOTS_AT },
  shader,
  dispatches: (chunk: PassChunk) => {
    const { pieceLength, multiples, additionCost } = chunk.plan;
    const slots = slotCount(digitsOf(chunk), pieceLength);
    // A bucket lies within one row.
    const largest = fullPieces(chunk.points * multiples, pieceLength);
    const units: number[] = [];
    for (let unit = 1; unit * FOLDED_PARTS <= largest; unit *= FOLDED_PARTS) units.push(unit);
    return units.map((unit) => ({
      first: 0,
      end: Math.ceil(slots / (unit * FOLDED_PARTS)),
      params: { pieceLength, unit, foldedParts: FOLDED_PARTS },
      cost: ((FOLDED_PARTS - 1) / 2) * FULL_ADDITION_COST * additionCost,
    }));
  },
});
