/** How long one submit may take: short enough for watchdogs, for other users of the GPU, and for an abort. */
const TARGET_MS = 50;

/** Point additions a millisecond that are assumed at first: those of a slow phone, and of two cores that play GPU. */
const FIRST_RATE = { hardware: 20_000, software: 100 } as const;

/** A faster rate than before is believed up to this factor at a time. */
const GROWTH = 8;

/** How much work goes into a submit: as much as the device was seen to do within the target. Work is in point additions. */
export class Pace {
  private rate: number;

  constructor(isSoftware: boolean) {
    this.rate = isSoftware ? FIRST_RATE.software : FIRST_RATE.hardware;
  }

  /** The work of the next submit. */
  get budget(): number {
    return this.rate * TARGET_MS;
  }

  /** Learns from a submit of `work` that took `ms`. Small ones that were quick tell more of their overhead than of the rate. */
  learn(work: number, ms: number): void {
    if (ms < TARGET_MS && work < this.budget / 2) return;
    this.rate = Math.min(work / Math.max(ms, 0.01), this.rate * GROWTH);
  }
}
