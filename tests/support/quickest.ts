/** How often a measurement is repeated before it counts. */
const TRIES = 5;

/**
 * The least of several measurements in milliseconds, or the first one below the limit. Code that is too slow is too slow every time, but a
 * machine that was busy with something else is not busy every time.
 */
export async function quickest(limitMs: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && least >= limitMs; i++) least = Math.min(least, await measure());
  return least;
}
