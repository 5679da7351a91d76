import { untilAborted } from '../../../base/abort.js';
import { TARGET_MS } from './pace.js';

/** Runs one task at a time, first in, first out. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `task` when all earlier ones have settled. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** A submit that takes this many times its expected duration counts as stuck. */
const PATIENCE = 10;

interface Submit {
  readonly share: number;
  /** Fulfilled when it has completed or failed. */
  readonly settled: Promise<unknown>;
}

/** The pending submits of a device, of all computations. */
export class InFlight {
  private readonly submits: Submit[] = [];
  private share = 0;
  private lastDone = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param onStuck called with the milliseconds that the device has spent on a single submit, far more than it should
   * need.
   * @param leastPatienceMs the time that even the smallest submit gets.
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
   * @returns the milliseconds between its predecessor's completion, or its own submission if that was later, and its
   * completion.
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

  /** Waits until at most one submit, or the work of a full one, is pending: then the next can be queued behind it. */
  async room(signal: AbortSignal | undefined): Promise<void> {
    while (this.submits.length > 1 && this.share > 1) await untilAborted(this.submits[0]!.settled, signal);
  }

  /**
   * Starts the timeout of the oldest submit. It is split into two halves, since the machine may sleep during the first
   * one.
   */
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
