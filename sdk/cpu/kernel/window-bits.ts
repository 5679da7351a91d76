/** The smallest and the largest windows for which digits are cut. */
export const MIN_WINDOW_BITS = 4;
export const MAX_WINDOW_BITS = 20;

/** The largest window that is chosen when the caller names none: its buckets still fit a cache of a few megabytes. */
const MAX_CPU_WINDOW_BITS = 16;

/** The cost of summing up a bucket, in additions of a base: it is added to its row and to its column, both in pairs. */
const BUCKET_COST = 2.2;
/** The cost of a row or column of a window's table, in additions of a base: two additions of XYZZ sums, each dearer than one in pairs. */
const LINE_COST = 5;

/**
 * How many buckets each window has, lowest first, for scalars below 2^scalarBits: 2^(c-1) for signed digits. The digits of the highest
 * window have no sign, so it has one bucket for each value that its bits and a carry can have.
 */
export function windowBuckets(scalarBits: number, windowBits: number): number[] {
  const windows = Math.ceil(scalarBits / windowBits);
  return Array.from({ length: windows }, (_, w) =>
    w < windows - 1 ? 2 ** (windowBits - 1) : 2 ** (scalarBits - w * windowBits),
  );
}

/** The window bits that cost least for `count` scalars: each window adds every base to a bucket, then sums the buckets. */
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
