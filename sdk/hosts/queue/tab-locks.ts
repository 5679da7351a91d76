import { abortError, onAbort, untilAborted } from '../../base/abort.js';

/** What is used of `navigator.locks`. */
export interface LockSource {
  request<T>(
    name: string,
    options: { readonly signal?: AbortSignal; readonly ifAvailable?: boolean },
    callback: (lock: unknown) => Promise<T>,
  ): Promise<T>;
}

/**
 * Turns that the pages of an origin take, by Web Locks: a browser gives a lock to one page at a time, and takes it back
 * when that page is closed or crashes. Where there are none, as in Node 20 or a page over plain HTTP, nothing is known
 * of other pages, and each takes its turns alone.
 */
export class TabLocks {
  /** @param name of all that is shared. */
  constructor(
    private readonly locks: LockSource | undefined,
    private readonly name: string,
  ) {}

  /** Does work while no other page has the lock `what`. Rejects with `ABORTED` if the signal fires before its turn. */
  exclusive<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.request(what, signal, work);
  }

  /** Does work if no other page has the lock `what`; gives undefined at once if one has. */
  async ifFree<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.locks === undefined) return work();
    return this.locks.request(this.nameOf(what), { ifAvailable: true }, async (lock) =>
      lock === null ? undefined : work(),
    );
  }

  /** Waits until no other page has the lock `what`. */
  async untilFree(what: string, signal: AbortSignal | undefined): Promise<void> {
    await untilAborted(
      this.request(what, signal, async () => undefined),
      signal,
    );
  }

  /**
   * Does work in one of `places` places, when one is free: a semaphore of as many locks, of which the first that is
   * given is taken.
   */
  async inPlace(what: string, places: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    if (this.locks === undefined) return work();
    // Ends the wait for all places when one was given; the lock of that one stays.
    const waiting = new AbortController();
    const stopListening = onAbort(signal, () => waiting.abort());
    let taken: Promise<void> | undefined;
    const takeFirst = async (): Promise<void> => {
      if (taken !== undefined) return;
      waiting.abort();
      taken = work();
      await taken;
    };
    try {
      const [first] = await Promise.allSettled(
        Array.from({ length: places }, (_, place) => this.request(`${what}/${place}`, waiting.signal, takeFirst)),
      );
      if (taken === undefined && first?.status === 'rejected') throw signal.aborted ? abortError(signal) : first.reason;
      await taken;
    } finally {
      stopListening();
    }
  }

  private async request<T>(what: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (this.locks === undefined) return work();
    let hasBegun = false;
    const begin = (): Promise<T> => {
      hasBegun = true;
      return work();
    };
    try {
      return await this.locks.request(this.nameOf(what), signal === undefined ? {} : { signal }, begin);
    } catch (error) {
      throw !hasBegun && signal?.aborted ? abortError(signal) : error;
    }
  }

  private nameOf(what: string): string {
    return `pippin/${this.name}/${what}`;
  }
}
