import { pause } from '../base/abort.js';

/** Milliseconds without a call after which none is expected to follow, as a proof follows the loading of its key. */
const QUIET_MS = 100;
/** Milliseconds after which work begins during calls, where they never end. */
const LONGEST_MS = 10_000;

/** Knows whether calls are pending, for work that lets them go first. */
export class IdleTime {
  private calls = 0;
  /** How many calls have begun so far. */
  private begun = 0;
  private waiting: (() => void)[] = [];

  /** Runs a call. */
  async busyWith<T>(call: () => Promise<T>): Promise<T> {
    this.calls++;
    this.begun++;
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

  /** Fulfilled when no call has been pending for `QUIET_MS`, after `LONGEST_MS`, or when the signal fires. */
  async quiet(hurry: AbortSignal): Promise<void> {
    for (let waited = 0; waited < LONGEST_MS; waited += QUIET_MS) {
      const before = this.calls === 0 ? this.begun : undefined;
      await pause(QUIET_MS, [hurry]);
      if (this.begun === before || hurry.aborted) return;
    }
  }
}
