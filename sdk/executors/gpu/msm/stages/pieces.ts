import cutPieces from '../../../../../shaders/pieces/cut.wgsl';
import dealShader from '../../../../../shaders/stages/deal.wgsl';
import tallyShader from '../../../../../shaders/stages/tally.wgsl';
import { atomic, read, readWrite, U32_BYTES } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import { bucketCount, digitCount } from '../plan.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOf, type PassChunk } from './pass-chunk.js';

/**
 * Load balancing: the entries of a bucket, which are contiguous in the sorted list, form one piece, or full pieces of
 * `fullLength` entries and a last one that may be shorter. Each thread of the accumulation adds up one piece. Pieces
 * are sorted by descending length, so that adjacent threads do equal work for any distribution of the digits.
 */

/**
 * Length classes of pieces: 16 for full pieces, by the number of full pieces of their bucket, and one for each length
 * of the others.
 */
const LENGTH_CLASSES = 128;
const FULL_CLASSES = 16;
export const MAX_PIECE_LENGTH = LENGTH_CLASSES - FULL_CLASSES;

/** The index in `bins` of the number of places of full pieces, each of which has a slot for its sum. */
export const SLOTS_AT = 2 * LENGTH_CLASSES;

/**
 * The sums of full pieces that a folding round adds up into one: one more than a thread's sequential additions. Kernels
 * get it as a parameter, since the compiler would unroll a loop of additions with a constant count.
 */
export const FOLDED_PARTS = 4;

/** The most full pieces. */
export function fullPieces(entries: number, fullLength: number): number {
  return Math.floor(entries / fullLength);
}

/** The most slots for the sums of full pieces: the last group of a bucket may be nearly empty. */
export function slotCount(entries: number, fullLength: number): number {
  return 2 * fullPieces(entries, fullLength);
}

/** The most places of pieces: one per slot, and one per bucket. */
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

/** One thread per bucket. */
function overBuckets(chunk: PassChunk) {
  const { plan } = chunk;
  const { pieceLength, fullLength } = plan;
  const params = { pieceLength, fullLength, foldedParts: FOLDED_PARTS, mostEntries: digitCount(plan) };
  return [{ first: 0, end: bucketsOf(chunk), params, cost: DIGIT_COST }];
}

/** Counts the pieces of each length class; the bins must be zero. */
export const tallyStage = defineMsmStage({
  ...CUT,
  name: 'tally',
  bindings: { offsets: read('counters'), bins: atomic('bins') },
  shader: tallyShader,
  bytes: () => ({ bins: (SLOTS_AT + 1) * U32_BYTES }),
  dispatches: overBuckets,
});

/** Lists the pieces by length class; `pieces` must be zero. */
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
