import type { PageMessageOf } from './protocol.js';

/**
 * What the page still says of calls that the app has cancelled. Messages have no more than an id, and a later call may
 * have the same one.
 *
 * A call that was cancelled while it was waited for has two ends: its own, and the answer to `cancel`. An `ABORTED` is
 * both at once. In every other case the call had ended by itself before the page heard of `cancel`: its end is followed
 * by the answer, which is `failed` or `result`, too.
 */
export class CancelledCalls {
  /** The ends that are to come, by id. */
  private readonly ends = new Map<string, number>();

  /** Takes note of a `cancel` for a call that the page was asked for. */
  add(id: string): void {
    this.ends.set(id, (this.ends.get(id) ?? 0) + 2);
  }

  /** Whether what the page says of an id concerns a cancelled call. */
  has(id: string): boolean {
    return this.ends.has(id);
  }

  /** Notes an end, and returns whether a cancelled call has ended. */
  end(id: string, message: PageMessageOf<'result' | 'failed'>): boolean {
    const ends = this.ends.get(id);
    if (ends === undefined) return false;
    const rest = ends - (message.type === 'failed' && message.code === 'ABORTED' ? 2 : 1);
    if (rest > 0) this.ends.set(id, rest);
    else this.ends.delete(id);
    return true;
  }

  /** The page has gone, and says nothing more. */
  clear(): void {
    this.ends.clear();
  }
}
