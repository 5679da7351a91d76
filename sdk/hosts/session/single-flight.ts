import type { ProgressEvent, ProgressListener } from '../../api/progress.js';
import { untilAborted } from '../../base/abort.js';

/** One run of some work that several callers wait for. */
export class SingleFlight<T> {
  readonly outcome: Promise<T>;
  private readonly controller = new AbortController();
  private readonly listeners = new Set<ProgressListener>();
  private callers = 0;
  private isSettled = false;
  private latest: Extract<ProgressEvent, { kind: 'progress' }> | undefined;

  /** @param goesOn whether it goes on when no caller waits for it; otherwise it is aborted then. */
  constructor(
    start: (signal: AbortSignal, onProgress: ProgressListener) => Promise<T>,
    private readonly goesOn: boolean,
  ) {
    this.outcome = start(this.controller.signal, (event) => {
      if (event.kind === 'progress') this.latest = event;
      for (const listener of this.listeners) listener(event);
    });
    const settle = (): void => {
      this.isSettled = true;
    };
    this.outcome.then(settle, settle);
  }

  /** The latest progress. */
  get progress(): Extract<ProgressEvent, { kind: 'progress' }> | undefined {
    return this.latest;
  }

  /** Whether it was aborted, so that nobody can join any more. */
  get isAborted(): boolean {
    return this.controller.signal.aborted;
  }

  /** Whether it has an outcome. */
  get hasEnded(): boolean {
    return this.isSettled;
  }

  /** Waits for the outcome. While the work runs, the listener gets its latest progress event and all later ones. */
  async join(signal?: AbortSignal, listener: ProgressListener = () => undefined): Promise<T> {
    if (this.latest !== undefined && !this.isSettled) listener(this.latest);
    this.listeners.add(listener);
    this.callers++;
    try {
      return await untilAborted(this.outcome, signal);
    } finally {
      this.listeners.delete(listener);
      this.callers--;
      if (this.callers === 0 && !this.goesOn) this.abort();
    }
  }

  /** Aborts it for all. Does nothing when it has ended. */
  abort(): void {
    if (!this.isSettled) this.controller.abort();
  }
}
