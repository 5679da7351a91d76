/** Proofs below which two thirds of them would say nothing. */
const LEAST = 9;

/** How proofs that follow each other without a pause change: a device that grows warm lowers its clock. */
export interface Drift {
  /** Medians of the first and of the last third, in milliseconds. */
  readonly early: number;
  readonly late: number;
}

/** The drift of later proofs, in the order in which they were made; undefined where there are too few. */
export function driftOf(ms: readonly number[]): Drift | undefined {
  if (ms.length < LEAST) return undefined;
  const third = Math.floor(ms.length / 3);
  return { early: median(ms.slice(0, third)), late: median(ms.slice(-third)) };
}

/** The middle of some times, of which there is at least one. */
export function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The drift in words. */
export function driftInWords({ early, late }: Drift): string {
  const percent = Math.round(100 * (late / early - 1));
  if (Math.abs(percent) < 5) return 'The last third was as fast as the first: this device holds its speed.';
  return percent > 0
    ? `The last third took ${percent} % longer than the first: this device slows down under load.`
    : `The last third took ${-percent} % less than the first: code was still being compiled, or the device was busy at first.`;
}
