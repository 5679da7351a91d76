/** Frames that the picture shows. */
const SHOWN = 120;

export interface FrameReading {
  /** Longest time between two frames, in milliseconds. */
  readonly longest: number;
  /** Frames seen. */
  readonly count: number;
  /** The latest times between frames, oldest first. */
  readonly recent: readonly number[];
}

/** Frames by which an idle page is measured: two seconds of a 60 Hz screen. */
const IDLE_FRAMES = 120;

/** Measures how long the page goes without a new frame, which is how its visitor notices the work. */
export class FrameMeter {
  private frame: number | undefined;
  private last: number | undefined;
  private longest = 0;
  private count = 0;
  private recent: number[] = [];

  constructor(private readonly onFrame: (reading: FrameReading) => void) {
    // A hidden page gets no frames; that gap says nothing.
    document.addEventListener('visibilitychange', () => {
      this.last = undefined;
    });
  }

  start(): void {
    this.stop();
    this.last = undefined;
    this.longest = 0;
    this.count = 0;
    this.recent = [];
    this.frame = requestAnimationFrame(this.tick);
  }

  stop(): FrameReading {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    return this.reading();
  }

  private readonly tick = (now: number): void => {
    if (this.last !== undefined) {
      const gap = now - this.last;
      this.longest = Math.max(this.longest, gap);
      this.count++;
      this.recent.push(gap);
      if (this.recent.length > SHOWN) this.recent.shift();
    }
    this.last = now;
    this.onFrame(this.reading());
    this.frame = requestAnimationFrame(this.tick);
  };

  /**
   * The same of the page while it does nothing, to compare with; undefined if it gets to do something before enough
   * frames have come.
   */
  async idle(): Promise<FrameReading | undefined> {
    const idle = new FrameMeter(() => undefined);
    idle.start();
    while (idle.count < IDLE_FRAMES) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (this.frame !== undefined) {
        idle.stop();
        return undefined;
      }
    }
    return idle.stop();
  }

  private reading(): FrameReading {
    return { longest: this.longest, count: this.count, recent: this.recent };
  }
}
