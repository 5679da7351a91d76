/** Target duration of a submit: short enough for GPU watchdogs, for other users of the GPU, and for an abort. */
export const TARGET_MS = 50;

/**
 * The initial rate, in units of work per millisecond: of a slow phone, and of a software adapter on two cores. The unit
 * is one point addition; the cost of every dispatch is counted in it.
 */
const FIRST_RATE = { hardware: 20_000, software: 100 } as const;

/** The rate grows at most by this factor at a time. */
const GROWTH = 8;

/** And shrinks at most by this factor, since the device may have been busy. */
const SHRINK = 4;

/**
 * Submits whose completion is reported within this time of each other had both completed before, so their times are
 * added.
 */
const RESOLUTION_MS = 1;

/** Adapts the work per submit to what the device does within the target duration. */
export class Pace {
  private rate: number;
  /** The last submit, with others reported together with it. */
  private last = { work: 0, ms: 0 };

  constructor(isSoftware: boolean) {
    this.rate = isSoftware ? FIRST_RATE.software : FIRST_RATE.hardware;
  }

  /** The work for the next submit. */
  get budget(): number {
    return this.rate * TARGET_MS;
  }

  /**
   * Learns from a submit of `work` that took `ms`. One far from full is ignored: its time is mostly overhead or waiting
   * for an upload.
   */
  learn(work: number, ms: number): void {
    const { last } = this;
    this.last = ms < RESOLUTION_MS ? { work: last.work + work, ms: last.ms + ms } : { work, ms };
    if (this.last.work < this.budget / 2) return;
    const seen = this.last.work / Math.max(this.last.ms, RESOLUTION_MS / 4);
    this.rate = Math.min(Math.max(seen, this.rate / SHRINK), this.rate * GROWTH);
  }
}
