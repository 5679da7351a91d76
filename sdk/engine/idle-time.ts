/** Knows whether calls are pending, for work that lets them go first. */
export class IdleTime {
  private calls = 0;
  private waiting: (() => void)[] = [];

  /** Runs a call. */
  async busyWith<T>(call: () => Promise<T>): Promise<T> {
    this.calls++;
    try {
      return await call();
    } finally {
      this.calls--;
      if (this.calls === 0) for (const go of this.waiting.splice(0)) go();
    }
  }

  /** Fulfilled when no call is pending. */
  async turn(): Promise<void> {
    while (this.calls > 0) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }
}
