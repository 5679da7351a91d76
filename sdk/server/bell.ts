import { onAbort } from '../base/abort.js';

/** Lets one side wait until the other says that something has happened. What happened before the wait counts, once. */
export class Bell {
  private rung = false;
  private wake = (): void => undefined;

  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Ends when the bell has been rung since the last wait, after `ms` milliseconds, or when the signal fires. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.rung && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => this.wake(), ms);
        const stop = onAbort(signal, () => this.wake());
        this.wake = () => {
          clearTimeout(timer);
          stop();
          resolve();
        };
      });
    }
    this.rung = false;
  }
}
