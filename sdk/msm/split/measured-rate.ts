/** A single measurement changes a rate at most by this factor: a call may have waited for something else. */
const MOST_CHANGE = 4;

/** How much of the way to a measurement the rate goes, on a logarithmic scale. */
const GAIN = 0.5;

/** How many points a member sums in a millisecond, corrected by each of its sums. */
export class MeasuredRate {
  /** @param value the rate that is assumed before the first measurement. */
  constructor(public value: number) {}

  /** Notes that so many points took so many milliseconds. */
  add(points: number, ms: number): void {
    if (points === 0 || ms <= 0) return;
    const ratio = points / ms / this.value;
    this.value *= Math.min(MOST_CHANGE, Math.max(1 / MOST_CHANGE, ratio)) ** GAIN;
  }
}
