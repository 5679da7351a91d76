import { abortError } from '../../../base/abort.js';

/** Lets a kernel's method be stopped between its steps, and report its progress. */
export interface KernelTask {
  /** True once the caller no longer wants the result; the method then throws `ABORTED`. Awaited between steps. */
  cancelled(): Promise<boolean>;
  /** The done fraction of this method's work, 0 to 1. */
  progress(fraction: number): void;
}

/** What every method of a kernel looks like. */
export type KernelFunction = (args: never, task?: KernelTask) => unknown;

/** Milliseconds of work after which it pauses and checks whether the caller still wants the result. */
const PAUSE_AFTER_MS = 20;

/** Runs long work in chunks, and pauses between them so that the worker can receive messages. */
export class Steps {
  private lastPause = performance.now();
  private done = 0;

  /**
   * @param total units of work in the whole computation, for progress.
   */
  constructor(
    private readonly task: KernelTask | undefined,
    private total: number,
  ) {}

  /**
   * Calls work(from, to) over 0..count in chunks. Each unit counts as `weight` units of the total. Throws `ABORTED`
   * when the task was cancelled.
   */
  async run(count: number, chunk: number, work: (from: number, to: number) => void, weight = 1): Promise<void> {
    for (let from = 0; from < count; from += chunk) {
      const to = Math.min(count, from + chunk);
      work(from, to);
      this.done += (to - from) * weight;
      if (performance.now() - this.lastPause > PAUSE_AFTER_MS) await this.pause();
    }
  }

  /** Calls work() until it returns false. The work counts its own units by calling `advance`. Throws as `run` does. */
  async repeat(work: () => boolean): Promise<void> {
    while (work()) if (performance.now() - this.lastPause > PAUSE_AFTER_MS) await this.pause();
  }

  /** Corrects the total: `units` of work are left. */
  expectRest(units: number): void {
    this.total = this.done + units;
  }

  /** Counts units as done. */
  advance(units: number): void {
    this.done += units;
  }

  private async pause(): Promise<void> {
    this.task?.progress(Math.min(1, this.done / this.total));
    if (await this.task?.cancelled()) throw abortError();
    this.lastPause = performance.now();
  }
}
