import shader from '../../../shaders/stages/fold.wgsl';
import type { Dispatch, Job, Stage } from '../runtime/stage.js';
import { entriesOf } from './accumulate.js';
import { FULL_ADDITION_COST } from './cost.js';
import { FOLDED_PARTS, fullPieces, slotCount } from './pieces.js';

/**
 * Adds up the sums of the full pieces of large buckets, so that no bucket leaves more than a few to merge, whatever the
 * scalars. For scalars that spread over the buckets there is nothing to do.
 */
export const foldStage: Stage = {
  name: 'fold',
  shader,
  prelude: 'points',
  workgroupSize: 64,
  access: ['read-only-storage', 'read-only-storage', 'read-only-storage', 'storage'],
  bytes: () => ({}),
};

export function foldSlots(job: Job): Dispatch[] {
  const { pieceLength } = job.plan;
  const slots = slotCount(entriesOf(job), pieceLength);
  // A bucket lies within one window.
  const largest = fullPieces(job.points, pieceLength);
  const rounds: Dispatch[] = [];
  for (let unit = 1; unit * FOLDED_PARTS <= largest; unit *= FOLDED_PARTS) {
    rounds.push({
      stage: foldStage,
      first: 0,
      end: Math.ceil(slots / (unit * FOLDED_PARTS)),
      params: [pieceLength, unit, FOLDED_PARTS],
      buffers: ['counters', 'pieces', 'bins', 'ranksThenSlots'],
      cost: ((FOLDED_PARTS - 1) / 2) * FULL_ADDITION_COST,
    });
  }
  return rounds;
}
