/** Entries of a share at least: shorter ones would leave more to merge than they spread. */
const SHORTEST_SHARE = 16;

/** Threads that share the sorted list at most: several for each that a large GPU runs at once. */
const MOST_SHARES = 2 ** 17;

/** The number of equal shares into which a sorted list of at most `entries` entries is cut, one for each thread. */
export function shareCount(entries: number): number {
  return Math.min(MOST_SHARES, Math.max(1, Math.ceil(entries / SHORTEST_SHARE)));
}
