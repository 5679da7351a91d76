import cutPieces from '../../../../../shaders/pieces/cut.wgsl';
import dealShader from '../../../../../shaders/stages/deal.wgsl';
import tallyShader from '../../../../../shaders/stages/tally.wgsl';
import { atomic, read, readWrite, U32_BYTES } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import { bucketCount, digitCount } from '../plan.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOf, type PassChunk } from './pass-chunk.js';

/**
 * Load balancing: the entries of a bucket, which lie side by side in the sorted list, form one piece, or full pieces of `fullLength` entries and a last one
 * that may be shorter. Each thread of the accumulation adds up one piece. Pieces are sorted by descending length, so that neighbouring threads do equal
 * work whatever the distribution.
 */

/**
 * Classes by which pieces are listed: 16 for the full ones, by the number of full pieces of their bucket, and one for each length of the
 * others.
 */
const LENGTH_CLASSES = 128;
const FULL_CLASSES = 16;
export const MAX_PIECE_LENGTH = LENGTH_CLASSES - FULL_CLASSES;

/** Where, among the bins, the number of places of full pieces is kept: each has a slot for its sum. */
export const SLOTS_AT = 2 * LENGTH_CLASSES;

/**
 * Sums of full pieces that become one in a round of folding: a thread's additions one after the other, and one more. Kernels get it as a
 * parameter, since compilers would unroll a loop of additions with a constant count.
 */
export const FOLDED_PARTS = 4;

/** Full pieces at most. */
export function fullPieces(entries: number, fullLength: number): number {
  return Math.floor(entries / fullLength);
}

/** Slots for the sums of full pieces, at most: the last group of a bucket may be nearly empty. */
export function slotCount(entries: number, fullLength: number): number {
  return 2 * fullPieces(entries, fullLength);
}

/** Places of pieces at most: those of the full ones, and one for each bucket. */
export function pieceCount(entries: number, buckets: number, fullLength: number): number {
  return slotCount(entries, fullLength) + Math.min(entries, buckets);
}

const CUT = {
  entry: 'workgroups',
  workgroupSize: 256,
  params: ['pieceLength', 'fullLength', 'foldedParts', 'mostEntries'],
  constants: { LENGTH_CLASSES, FULL_CLASSES, SLOTS_AT },
  libraries: [cutPieces],
} as const;

/** A thread for each bucket. */
function overBuckets(chunk: PassChunk) {
  const { plan } = chunk;
  const { pieceLength, fullLength } = plan;
  const params = { pieceLength, fullLength, foldedParts: FOLDED_PARTS, mostEntries: digitCount(plan) };
  return [{ first: 0, end: bucketsOf(chunk), params, cost: DIGIT_COST }];
}

/** Counts the pieces of each length class; the bins begin at zero. */
export const tallyStage = defineMsmStage({
  ...CUT,
  name: 'tally',
  bindings: { offsets: read('counters'), bins: atomic('bins') },
  shader: tallyShader,
  bytes: () => ({ bins: (SLOTS_AT + 1) * U32_BYTES }),
  dispatches: overBuckets,
});

/** Lists the pieces by length class; the pieces begin at zero. */
export const dealStage = defineMsmStage({
  ...CUT,
  name: 'deal',
  bindings: {
    offsets: read('counters'),
    bins: atomic('bins'),
    pieces: readWrite('pieces'),
    firstPieces: readWrite('firstPieces'),
  },
  shader: dealShader,
  bytes: (plan) => ({
    pieces: pieceCount(digitCount(plan), bucketCount(plan), plan.fullLength) * U32_BYTES,
    firstPieces: bucketCount(plan) * U32_BYTES,
  }),
  dispatches: overBuckets,
});
