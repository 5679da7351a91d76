import type { PageMessageOf } from './protocol.js';

/**
 * Tracks cancelled calls whose final messages from the page are still to come. Messages carry only an id, which a later
 * call may reuse.
 *
 * A call that is cancelled while pending gets two final messages: its own, and the answer to `cancel`. `ABORTED` is
 * both at once. Otherwise the call had ended before the page received `cancel`: its final message is followed by the
 * answer, which is `failed` or `result` as well.
 */
export class CancelledCalls {
  /** The number of final messages still to come, by id. */
  private readonly ends = new Map<string, number>();

  /** Records a `cancel` for a call that was sent to the page. */
  add(id: string): void {
    this.ends.set(id, (this.ends.get(id) ?? 0) + 2);
  }

  /** Whether a message with this id belongs to a cancelled call. */
  has(id: string): boolean {
    return this.ends.has(id);
  }

  /** Records a final message and returns whether it ends a cancelled call. */
  end(id: string, message: PageMessageOf<'result' | 'failed'>): boolean {
    const ends = this.ends.get(id);
    if (ends === undefined) return false;
    const rest = ends - (message.type === 'failed' && message.code === 'ABORTED' ? 2 : 1);
    if (rest > 0) this.ends.set(id, rest);
    else this.ends.delete(id);
    return true;
  }

  /** The page is gone and sends nothing more. */
  clear(): void {
    this.ends.clear();
  }
}
