import { windowCount } from '../msm/digits.js';

/** Smallest and largest windows that digits are cut for. */
export const MIN_WINDOW_BITS = 4;
export const MAX_WINDOW_BITS = 20;

/** Largest window that the CPU takes unasked: its buckets still fit a cache of a few megabytes. */
const MAX_CPU_WINDOW_BITS = 16;

/** What the two additions that a bucket costs in the end take, in additions of a base: to XYZZ sums, in pairs. */
const BUCKET_COST = 2.8;
const BUCKET_COST_IN_PAIRS = 4;

/**
 * The cheapest window bits for `count` full scalars: each window adds every base to a bucket, then sums the buckets.
 * @param pairs whether the bases are added in pairs that share inversions, which is cheaper.
 */
export function cpuWindowBits(count: number, scalarBits: number, pairs: boolean): number {
  const bucketCost = pairs ? BUCKET_COST_IN_PAIRS : BUCKET_COST;
  let best = MIN_WINDOW_BITS;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let c = MIN_WINDOW_BITS; c <= MAX_CPU_WINDOW_BITS; c++) {
    const cost = windowCount(scalarBits, c) * (count + bucketCost * 2 ** (c - 1));
    if (cost < bestCost) {
      best = c;
      bestCost = cost;
    }
  }
  return best;
}
