import { untilAborted } from '../../../base/abort.js';
import { TARGET_MS } from './pace.js';

/** Lets one task run at a time, in the order of their coming. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `task` when all earlier ones have ended, well or not. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** A submit that takes so many times as long as its work should counts as stuck. */
const PATIENCE = 10;

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
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param onStuck called with the milliseconds for which the device has worked on a single submit, far more than it should need.
   * @param leastPatienceMs for which even the smallest submit is waited for.
   */
  constructor(
    private readonly onStuck: (ms: number) => void,
    private readonly leastPatienceMs: number,
  ) {}

  /**
   * Adds a submit.
   *
   * @param share its work, as a fraction of a full submit's.
   * @param done fulfilled when the device has completed it; submits complete in order.
   * @returns the milliseconds between its predecessor's completion, or its own submission if that was later, and its completion.
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
      this.watch();
    };
    const submit: Submit = { share, settled: took.then(forget, forget) };
    this.submits.push(submit);
    this.share += share;
    if (this.submits.length === 1) this.watch();
    return took;
  }

  /** Waits until one submit, or a full one's work, is under way at most: then the next can be queued behind it. */
  async room(signal: AbortSignal | undefined): Promise<void> {
    while (this.submits.length > 1 && this.share > 1) await untilAborted(this.submits[0]!.settled, signal);
  }

  /** Begins to wait for the oldest submit. Half of the patience is waited for twice, since the machine may have slept in the first one. */
  private watch(): void {
    clearTimeout(this.timer);
    const [oldest] = this.submits;
    if (oldest === undefined) return;
    const patience = Math.max(this.leastPatienceMs, PATIENCE * TARGET_MS * oldest.share);
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.onStuck(patience), patience / 2);
    }, patience / 2);
  }
}
