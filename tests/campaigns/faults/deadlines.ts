/** Waits of this length or longer are deadlines, and not a part of the work. */
const LEAST_MS = 1000;

/**
 * Lets deadlines pass quickly, and knows which are still set: one that is set for ever keeps a thread alive. It
 * replaces the timers of this thread.
 */
export class Deadlines {
  private readonly set = new Map<unknown, string>();
  private readonly setTimeout = globalThis.setTimeout;
  private readonly clearTimeout = globalThis.clearTimeout;

  /** @param speed how many times as fast they pass. */
  constructor(speed: number) {
    const { set } = this;
    const quick = (callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): unknown => {
      if (ms < LEAST_MS) return this.setTimeout(callback, ms, ...given);
      const run = (): void => {
        set.delete(timer);
        callback(...given);
      };
      const timer = this.setTimeout(run, ms / speed);
      set.set(timer, `${ms} ms ${new Error().stack?.split('\n')[2] ?? ''}`);
      return timer;
    };
    globalThis.setTimeout = quick as typeof setTimeout;
    globalThis.clearTimeout = ((timer: Parameters<typeof clearTimeout>[0]) => {
      set.delete(timer);
      this.clearTimeout(timer);
    }) as typeof clearTimeout;
  }

  /** The deadlines that are set, each with where it was. */
  get pending(): readonly string[] {
    return [...this.set.values()];
  }

  /** Ends them, so that they do not count for what comes next. */
  clear(): void {
    for (const timer of this.set.keys()) this.clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
    this.set.clear();
  }

  close(): void {
    globalThis.setTimeout = this.setTimeout;
    globalThis.clearTimeout = this.clearTimeout;
  }
}
