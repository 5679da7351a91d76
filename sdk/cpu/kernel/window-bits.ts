/** Smallest and largest windows that digits are cut for. */
export const MIN_WINDOW_BITS = 4;
export const MAX_WINDOW_BITS = 20;

/** Largest window that the CPU takes unasked: its buckets still fit a cache of a few megabytes. */
const MAX_CPU_WINDOW_BITS = 16;

/** What a bucket costs in the end, in additions of a base: two additions in pairs. */
const BUCKET_COST = 2.2;
/** What a row or a column of a window's table costs: two additions to XYZZ sums, against those in pairs. */
const LINE_COST = 5;

/**
 * The buckets of each window, lowest first, of scalars below 2^scalarBits: 2^(c-1) for signed digits, and for the highest, which has no
 * sign, as many as its bits and a carry make.
 */
export function windowBuckets(scalarBits: number, windowBits: number): number[] {
  const windows = Math.ceil(scalarBits / windowBits);
  return Array.from({ length: windows }, (_, w) =>
    w < windows - 1 ? 2 ** (windowBits - 1) : 2 ** (scalarBits - w * windowBits),
  );
}

/** The cheapest window bits for `count` scalars: each window adds every base to a bucket, then sums the buckets. */
export function cpuWindowBits(count: number, scalarBits: number): number {
  let best = MIN_WINDOW_BITS;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let c = MIN_WINDOW_BITS; c <= MAX_CPU_WINDOW_BITS; c++) {
    let cost = 0;
    for (const buckets of windowBuckets(scalarBits, c)) {
      cost += Math.max(0, count - buckets) + BUCKET_COST * buckets + 2 * LINE_COST * Math.sqrt(buckets);
    }
    if (cost < bestCost) {
      best = c;
      bestCost = cost;
    }
  }
  return best;
}
