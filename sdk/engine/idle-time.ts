/** Knows whether calls are pending, for work that lets them go first. */
export class IdleTime {
  private calls = 0;
  private lastEnd = Number.NEGATIVE_INFINITY;
  private waiting: (() => void)[] = [];

  /** Runs a call. */
  async busyWith<T>(call: () => Promise<T>): Promise<T> {
    this.calls++;
    try {
      return await call();
    } finally {
      this.calls--;
      this.lastEnd = performance.now();
      if (this.calls === 0) for (const go of this.waiting.splice(0)) go();
    }
  }

  /** Fulfilled when no call is pending, nor has been for so many milliseconds. */
  async turn(quietMs = 0): Promise<void> {
    for (;;) {
      while (this.calls > 0) {
        await new Promise<void>((resolve) => {
          this.waiting.push(resolve);
        });
      }
      const left = this.lastEnd + quietMs - performance.now();
      if (left <= 0) return;
      await new Promise<void>((resolve) => {
        // In Node a pending timer keeps the process alive unless `unref` is called.
        (setTimeout(resolve, left) as { unref?: () => void }).unref?.();
      });
    }
  }
}
