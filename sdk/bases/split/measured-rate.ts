/** A single measurement changes a rate at most by this factor: a call may have waited for something else. */
const MOST_CHANGE = 4;

/** How much of the way to a measurement the rate goes, on a logarithmic scale. */
const GAIN = 0.5;

/** How many points a millisecond stand for 1 in the rates that are assumed; undefined before the first measurement. */
export interface RateScale {
  value: number | undefined;
}

/** How many points a member sums in a millisecond: at first as is assumed, then corrected by each of its sums. */
export class MeasuredRate {
  private measured: number | undefined;

  /**
   * @param assumed the rate before the first measurement, in any unit that it shares with those of other members.
   * @param scale shared with these. The first measurement of any of them sets it.
   */
  constructor(
    private readonly assumed: number,
    private readonly scale: RateScale,
  ) {}

  get value(): number {
    return this.measured ?? this.assumed * (this.scale.value ?? 1);
  }

  /** Notes that so many points took so many milliseconds. */
  add(points: number, ms: number): void {
    if (points === 0 || ms <= 0) return;
    this.scale.value ??= points / ms / this.assumed;
    const ratio = points / ms / this.value;
    this.measured = this.value * Math.min(MOST_CHANGE, Math.max(1 / MOST_CHANGE, ratio)) ** GAIN;
  }
}
