import shader from '../../shaders/stages/merge.wgsl';
import { SLOTS_PER_SHARE, shareCount } from './accumulate.js';
import { type Dispatch, type Job, type Stage, U32_BYTES } from './stage.js';

/** Shares of the round before whose slots one thread merges: at most one addition less than that, one after the other. */
export const MERGED_SHARES = 4;

/** A full addition costs 14 products where a mixed one costs 10 (XYZZ). */
export const FULL_ADDITION_COST = 1.4;

/**
 * Adds up partial sums of the same bucket. The slots are a list sorted by bucket, so that a round cuts them in shares again,
 * stores what is complete in its bucket and leaves two slots for each share; the last round has one share and leaves none.
 */
export const mergeStage: Stage = {
  name: 'merge',
  shader,
  usesPoints: true,
  workgroupSize: 64,
  access: ['read-only-storage', 'read-only-storage', 'storage', 'storage', 'storage'],
  bytes: ({ chunkPoints, windowsPerPass, share, sumBytes }) => {
    const shares = Math.ceil(shareCount(chunkPoints, windowsPerPass, share) / MERGED_SHARES);
    return {
      mergedKeys: SLOTS_PER_SHARE * shares * U32_BYTES,
      mergedSlots: SLOTS_PER_SHARE * shares * sumBytes,
    };
  },
};

/** The rounds that merge the slots of a chunk; none when it is a single share. */
export function mergeSlots({ plan, windows, points }: Job): Dispatch[] {
  const rounds: Dispatch[] = [];
  for (let shares = shareCount(points, windows, plan.share); shares > 1; ) {
    const slots = SLOTS_PER_SHARE * shares;
    shares = Math.ceil(shares / MERGED_SHARES);
    rounds.push({
      stage: mergeStage,
      first: 0,
      end: shares,
      params: [slots, SLOTS_PER_SHARE * MERGED_SHARES],
      buffers:
        rounds.length % 2 === 0
          ? ['slotKeys', 'slots', 'mergedKeys', 'mergedSlots', 'buckets']
          : ['mergedKeys', 'mergedSlots', 'slotKeys', 'slots', 'buckets'],
      cost: MERGED_SHARES * FULL_ADDITION_COST,
    });
  }
  return rounds;
}
