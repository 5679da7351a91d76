import { createStore, del, entries, set } from 'idb-keyval';
import { withTimeout } from '../../base/abort.js';

/** What is kept of a proof beyond the page's life: that it was begun, or its result. Never its inputs. */
export interface JournalEntry<Result> {
  readonly id: string;
  /** Undefined if it was pending. */
  readonly result: Result | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Where entries are kept. Each operation may fail, or never be answered: a storage that is full, denied or stuck. */
export interface JournalStore<Result> {
  read(): Promise<readonly JournalEntry<Result>[]>;
  write(entry: JournalEntry<Result>): Promise<void>;
  delete(id: string): Promise<void>;
}

export interface JournalLimits {
  /** The most entries; the oldest go first. A result has about 2 kB. */
  readonly most: number;
  /** Milliseconds after which an entry is dropped. */
  readonly keepMs: number;
}

/** Who has not asked for a result for a day will not ask. */
export const USUAL_LIMITS: JournalLimits = { most: 64, keepMs: 24 * 3_600_000 };

/** The timeout in milliseconds of reading what other pages have left, and of waiting until all is written. */
const ANSWER_MS = 3000;
/**
 * Backpressure: the most pending operations of the store, each of which holds its entry. At this limit the store is not
 * asked for more.
 */
const MOST_UNANSWERED = 256;

/**
 * A store in a database of IndexedDB, which outlives the page and its process; undefined where the page may have none.
 */
export function indexedDbJournal<Result>(database: string): JournalStore<Result> | undefined {
  try {
    const store = createStore(database, 'proofs');
    return {
      read: async () => (await entries<string, JournalEntry<Result>>(store)).map(([, entry]) => entry),
      // A page without IndexedDB throws at the first use.
      write: async (entry) => set(entry.id, entry, store),
      delete: async (id) => del(id, store),
    };
  } catch {
    return undefined;
  }
}

/**
 * The proofs that the page knows of from before it was loaded or from other pages, and those that it has made. Memory
 * has what was read, and the store follows. Without a store that works, results are kept for the page's life alone.
 */
export class Journal<Result extends { readonly id: string }> {
  private readonly entries = new Map<string, JournalEntry<Result>>();
  /** Ids of proofs that this page has begun. What it knows of them is newer than what the store has. */
  private readonly own = new Set<string>();
  /** Ids whose proof began in another page, or another life of this one, and had not ended when it was read. */
  private readonly interrupted = new Set<string>();
  /** The pending operations of the store. */
  private readonly unanswered = new Set<Promise<void>>();

  constructor(
    private readonly store: JournalStore<Result> | undefined,
    private readonly now: () => number = Date.now,
    private readonly limits: JournalLimits = USUAL_LIMITS,
  ) {}

  /**
   * Reads what other pages have left: at the start, and again for what they have written since. Gives nothing where the
   * store fails or does not answer in time. Never rejects.
   */
  async open(): Promise<void> {
    const { store } = this;
    if (store === undefined) return;
    let kept: readonly JournalEntry<Result>[];
    try {
      kept = await withTimeout(ANSWER_MS, 'the store', () => store.read());
    } catch {
      // No more is known of other pages then.
      return;
    }
    for (const id of [...this.entries.keys()]) if (!this.own.has(id)) this.drop(id);
    for (const entry of [...kept].sort((a, b) => a.at - b.at)) {
      if (this.own.has(entry.id)) continue;
      this.entries.set(entry.id, entry);
      if (entry.result === undefined) this.interrupted.add(entry.id);
    }
    this.dropOld();
  }

  result(id: string): Result | undefined {
    this.dropOld();
    return this.entries.get(id)?.result;
  }

  /** All results that are kept, the oldest first. */
  results(): Result[] {
    this.dropOld();
    return [...this.entries.values()].flatMap(({ result }) => result ?? []);
  }

  /** Whether a proof was pending when an earlier page went, and was not begun again. */
  wasInterrupted(id: string): boolean {
    this.dropOld();
    return this.interrupted.has(id);
  }

  begin(id: string): void {
    this.write({ id, result: undefined, at: this.now() });
  }

  finish(result: Result): void {
    this.write({ id: result.id, result, at: this.now() });
  }

  /** Deletes what is kept of a proof: it has failed, or its result was taken. */
  forget(id: string): void {
    if (this.drop(id)) this.follow((store) => store.delete(id));
  }

  /** Waits until the store has answered all that it was asked for, or has not done so in time. Never rejects. */
  async written(): Promise<void> {
    await withTimeout(ANSWER_MS, 'the store', () => Promise.all(this.unanswered)).catch(() => undefined);
  }

  private drop(id: string): boolean {
    this.own.delete(id);
    this.interrupted.delete(id);
    return this.entries.delete(id);
  }

  private write(entry: JournalEntry<Result>): void {
    // A Map keeps an id at the place of its first entry.
    this.drop(entry.id);
    this.own.add(entry.id);
    this.entries.set(entry.id, entry);
    this.follow((store) => store.write(entry));
    this.dropOld();
  }

  /** Drops the oldest entries: those beyond the limits. */
  private dropOld(): void {
    const { most, keepMs } = this.limits;
    for (const { id, at } of this.entries.values()) {
      if (this.entries.size <= most && this.now() - at <= keepMs) return;
      this.forget(id);
    }
  }

  private follow(operation: (store: JournalStore<Result>) => Promise<void>): void {
    if (this.store === undefined || this.unanswered.size >= MOST_UNANSWERED) return;
    const answer: Promise<void> = operation(this.store)
      .catch(() => undefined)
      .finally(() => this.unanswered.delete(answer));
    this.unanswered.add(answer);
  }
}
