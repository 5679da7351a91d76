import shader from '../../shaders/stages/accumulate.wgsl';
import type { MsmPlan } from './plan.js';
import { type Dispatch, type Job, type Stage, U32_BYTES } from './stage.js';

/** Equal contiguous shares of the sorted list, one for each thread. */
export function shareCount(points: number, windows: number, share: number): number {
  return Math.ceil((points * windows) / share);
}

/** Sums that a share may have in common with its neighbours: its first and its last. */
export const SLOTS_PER_SHARE = 2;

function slots({ chunkPoints, windowsPerPass, share }: MsmPlan): number {
  return SLOTS_PER_SHARE * shareCount(chunkPoints, windowsPerPass, share);
}

/**
 * Sums the points of every bucket, each thread those of one share. Buckets that lie in one share are complete; the others
 * leave a partial sum in a slot of each share they touch.
 */
export const accumulateStage: Stage = {
  name: 'accumulate',
  shader,
  usesPoints: true,
  workgroupSize: 64,
  access: ['read-only-storage', 'read-only-storage', 'read-only-storage', 'storage', 'storage', 'storage'],
  bytes: (plan) => ({
    buckets: plan.windowsPerPass * plan.bucketsPerWindow * plan.sumBytes,
    slotKeys: slots(plan) * U32_BYTES,
    slots: slots(plan) * plan.sumBytes,
  }),
};

export function accumulateShares({ plan, windows, points, bases, continued }: Job): Dispatch {
  return {
    stage: accumulateStage,
    first: 0,
    end: shareCount(points, windows, plan.share),
    params: [windows * plan.bucketsPerWindow, plan.share, continued ? 1 : 0],
    buffers: [bases, 'sorted', 'counters', 'buckets', 'slotKeys', 'slots'],
    cost: plan.share,
  };
}
