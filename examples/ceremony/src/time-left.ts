/** Before so much is done an estimate would say nothing. */
const LEAST_MS = 1500;
const LEAST_FRACTION = 0.03;

/**
 * How long work takes that goes on at its pace, in words; undefined while nobody can know. Coarse, so that it does not
 * flicker.
 */
export function timeLeft(elapsedMs: number, fraction: number): string | undefined {
  if (elapsedMs < LEAST_MS || fraction < LEAST_FRACTION) return undefined;
  const seconds = ((elapsedMs / 1000) * (1 - fraction)) / fraction;
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 90) return `about ${5 * Math.ceil(seconds / 5)} s left`;
  return `about ${Math.round(seconds / 60)} min left`;
}
