import { abortError } from '../../abort.js';
import type { KernelTask } from './kernel-task.js';

/** Milliseconds of work between two looks at whether the caller still wants the result. */
const PAUSE_AFTER_MS = 20;

/** Runs long work in chunks, and pauses between them so that messages are heard. */
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
   * Calls work(from, to) over 0..count in chunks, each unit counting `weight` in the whole. Throws `ABORTED` when the caller has
   * turned away.
   */
  async run(count: number, chunk: number, work: (from: number, to: number) => void, weight = 1): Promise<void> {
    for (let from = 0; from < count; from += chunk) {
      const to = Math.min(count, from + chunk);
      work(from, to);
      this.done += (to - from) * weight;
      if (performance.now() - this.lastPause > PAUSE_AFTER_MS) await this.pause();
    }
  }

  /** Calls work() until it gives false. Such work is told to progress by `advance`. */
  async repeat(work: () => boolean): Promise<void> {
    while (work()) if (performance.now() - this.lastPause > PAUSE_AFTER_MS) await this.pause();
  }

  /** Says that `units` of work are left, once that is known better than at the beginning. */
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
