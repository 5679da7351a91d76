import { throwIfAborted } from '../../../base/abort.js';

/** Milliseconds of work between pauses. */
const PAUSE_AFTER_MS = 20;

/** Elements between two checks of the clock. */
const CHUNK = 4096;

/** Runs long work of this thread in chunks, with pauses in which the event loop handles messages. */
export class Pauses {
  private last = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** Calls work(from, to) over 0..count in chunks. Rejects with `ABORTED` when the signal has fired. */
  async run(count: number, work: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < count; from += CHUNK) {
      if (performance.now() - this.last > PAUSE_AFTER_MS) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        this.last = performance.now();
      }
      throwIfAborted(this.signal);
      work(from, Math.min(count, from + CHUNK));
    }
  }
}
