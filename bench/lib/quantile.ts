/**
 * The value that the part `part` of all does not exceed, from 0 (the least) to 1 (the largest). @param sorted in
 * ascending order, at least one.
 */
export function quantile(sorted: ArrayLike<number>, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
}
