import { untilAborted } from '../../abort.js';

interface Submit {
  readonly share: number;
  /** Fulfilled when it is done, well or not. */
  readonly settled: Promise<unknown>;
}

/** What was submitted to a device and is not done yet, whichever computation it belongs to. */
export class InFlight {
  private readonly submits: Submit[] = [];
  private share = 0;
  private lastDone = 0;

  /**
   * Adds a submit.
   *
   * @param share its work, as a part of what a full submit has.
   * @param done fulfilled when the device is done with it; submits end in their order.
   * @returns the milliseconds that it took behind the one before.
   */
  add(share: number, done: Promise<unknown>): Promise<number> {
    const at = performance.now();
    const took = done.then(() => {
      const now = performance.now();
      const ms = now - Math.max(at, this.lastDone);
      this.lastDone = now;
      return ms;
    });
    const forget = (): void => {
      this.submits.splice(this.submits.indexOf(submit), 1);
      this.share -= share;
    };
    const submit: Submit = { share, settled: took.then(forget, forget) };
    this.submits.push(submit);
    this.share += share;
    return took;
  }

  /** Waits until one submit, or a full one's work, is under way at most: then the next can be queued behind it. */
  async room(signal: AbortSignal | undefined): Promise<void> {
    while (this.submits.length > 1 && this.share > 1) await untilAborted(this.submits[0]!.settled, signal);
  }
}
