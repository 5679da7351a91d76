import accumulateShader from '../../../../../shaders/stages/accumulate.wgsl';
import foldShader from '../../../../../shaders/stages/fold.wgsl';
import { given, read, readWrite } from '../../runtime/stage.js';
import { FULL_ADDITION_COST } from '../cost.js';
import { bucketCount, digitCount, setsPerRow } from '../plan.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOf, digitsOf, type PassChunk } from './pass-chunk.js';
import { FOLDED_PARTS, fullPieces, pieceCount, SLOTS_AT, slotCount } from './pieces.js';

/** Adds up the points of every piece: a full piece to its slot, a bucket's last piece to the bucket. */
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
  shader: accumulateShader,
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

/** The unit that tells the kernel it is the last round. */
const LAST = 0;

/**
 * Adds the sums of full pieces to their buckets. Large buckets' sums are first folded in rounds, so that for any
 * scalars at most a few remain per bucket. For uniformly distributed scalars there is nothing to do.
 */
export const foldStage = defineMsmStage({
  name: 'fold',
  entry: 'threads',
  workgroupSize: 64,
  arithmetic: 'points',
  bindings: {
    offsets: read('counters'),
    pieces: read('pieces'),
    firstPieces: read('firstPieces'),
    bins: read('bins'),
    slots: readWrite('slots'),
    buckets: readWrite('buckets'),
  },
  params: ['pieceLength', 'fullLength', 'unit', 'foldedParts'],
  constants: { SLOTS_AT },
  shader: foldShader,
  dispatches: (chunk: PassChunk) => {
    const { pieceLength, fullLength, multiples, additionCost } = chunk.plan;
    const slots = slotCount(digitsOf(chunk), fullLength);
    // A bucket is within one set.
    const largest = fullPieces((chunk.points * multiples) / setsPerRow(chunk.plan), fullLength);
    const units: number[] = [];
    for (let unit = 1; unit * FOLDED_PARTS <= largest; unit *= FOLDED_PARTS) units.push(unit);
    const rounds = units.map((unit) => ({
      first: 0,
      end: Math.ceil(slots / (unit * FOLDED_PARTS)),
      params: { pieceLength, fullLength, unit, foldedParts: FOLDED_PARTS },
      cost: ((FOLDED_PARTS - 1) / 2) * FULL_ADDITION_COST * additionCost,
    }));
    const last = {
      first: 0,
      end: bucketsOf(chunk),
      params: { pieceLength, fullLength, unit: LAST, foldedParts: FOLDED_PARTS },
      cost: (FULL_ADDITION_COST / 4) * additionCost,
    };
    return [...rounds, last];
  },
});
