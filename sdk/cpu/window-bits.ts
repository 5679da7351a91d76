import { windowCount } from '../msm/digits.js';

/** Smallest and largest windows that digits are cut for. */
export const MIN_WINDOW_BITS = 4;
export const MAX_WINDOW_BITS = 20;

/** Largest window that the CPU takes unasked: its buckets still fit a cache of a few megabytes. */
const MAX_CPU_WINDOW_BITS = 16;

/**
 * Window bits with the fewest additions for `count` full scalars: each window adds every base to a bucket (a mixed
 * addition), then two full additions a bucket, which cost about 1.4 mixed ones.
 */
export function cpuWindowBits(count: number, scalarBits: number): number {
  let best = MIN_WINDOW_BITS;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let c = MIN_WINDOW_BITS; c <= MAX_CPU_WINDOW_BITS; c++) {
    const cost = windowCount(scalarBits, c) * (count + 2.8 * 2 ** (c - 1));
    if (cost < bestCost) {
      best = c;
      bestCost = cost;
    }
  }
  return best;
}
