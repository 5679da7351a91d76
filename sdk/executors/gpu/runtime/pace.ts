/** How long one submit may take: short enough for watchdogs, for other users of the GPU, and for an abort. */
export const TARGET_MS = 50;

/**
 * Units of work a millisecond that are assumed at first: of a slow phone, and of a software adapter on two cores. A unit is what the
 * addition of two points takes; the cost of every dispatch is counted in it.
 */
const FIRST_RATE = { hardware: 20_000, software: 100 } as const;

/** A faster rate than before is believed up to this factor at a time. */
const GROWTH = 8;

/** And a slower one, which may have met a busy moment, up to this. */
const SHRINK = 4;

/** Submits found done within so short a time of each other were both done before: their times count together. */
const RESOLUTION_MS = 1;

/** How much work goes into a submit: as much as the device was seen to do within the target. */
export class Pace {
  private rate: number;
  /** The last submit, with those found done together with it. */
  private last = { work: 0, ms: 0 };

  constructor(isSoftware: boolean) {
    this.rate = isSoftware ? FIRST_RATE.software : FIRST_RATE.hardware;
  }

  /** The work of the next submit. */
  get budget(): number {
    return this.rate * TARGET_MS;
  }

  /**
   * Learns from a submit of `work` that took `ms`. One that was far from full tells nothing: when it was quick, that is its
   * overhead, and when it was slow, it waited for an upload.
   */
  learn(work: number, ms: number): void {
    const { last } = this;
    this.last = ms < RESOLUTION_MS ? { work: last.work + work, ms: last.ms + ms } : { work, ms };
    if (this.last.work < this.budget / 2) return;
    const seen = this.last.work / Math.max(this.last.ms, RESOLUTION_MS / 4);
    this.rate = Math.min(Math.max(seen, this.rate / SHRINK), this.rate * GROWTH);
  }
}
