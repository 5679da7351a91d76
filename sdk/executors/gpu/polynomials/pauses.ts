import { throwIfAborted } from '../../../base/abort.js';

/** Milliseconds of work after which a pause is due. */
const PAUSE_AFTER_MS = 20;

/** Elements between two looks at the clock. */
const CHUNK = 4096;

/** Long work of this thread in chunks, with pauses in which it receives messages. */
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
