import { createStore, del, entries, set } from 'idb-keyval';
import { withTimeout } from '../../base/abort.js';
import type { PageMessageOf } from './protocol.js';

export type ProofResult = Omit<PageMessageOf<'result'>, 'pippin' | 'type'>;

/** What is kept of a proof beyond the page's life: that it was begun, or its result. Never its inputs. */
export interface JournalEntry {
  readonly id: string;
  /** Undefined if it was pending. */
  readonly result: ProofResult | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Where entries are kept. Each operation may fail, or never be answered: a storage that is full, denied or stuck. */
export interface JournalStore {
  read(): Promise<readonly JournalEntry[]>;
  write(entry: JournalEntry): Promise<void>;
  delete(id: string): Promise<void>;
}

/** The most entries; the oldest go first. A result has about 2 kB. */
const MOST_ENTRIES = 64;
/** An app that has not asked for a result for so long will not ask. */
const LONGEST_MS = 24 * 3_600_000;
/** The timeout in milliseconds of reading, at the page's start, what an earlier one has left. */
const OPEN_MS = 3000;
/**
 * Backpressure: the most pending operations of the store, each of which holds its entry. At this limit the store is not
 * asked for more.
 */
const MOST_UNANSWERED = 256;

/** A store in IndexedDB, which outlives the page and the webview's process; undefined where the page may have none. */
export function indexedDbJournal(): JournalStore | undefined {
  try {
    const store = createStore('pippin-webview', 'proofs');
    return {
      read: async () => (await entries<string, JournalEntry>(store)).map(([, entry]) => entry),
      write: (entry) => set(entry.id, entry, store),
      delete: (id) => del(id, store),
    };
  } catch {
    return undefined;
  }
}

/**
 * The proofs that the page knows of from before it was loaded, and those that it has made. It is read once, at the
 * start; then memory has it all, and the store follows. Without a store that works, results are kept for the page's
 * life alone.
 */
export class Journal {
  private readonly entries = new Map<string, JournalEntry>();
  /** Ids whose proof began in another life of the page and did not end there. */
  private readonly interrupted = new Set<string>();
  /** The number of pending operations of the store. */
  private unanswered = 0;

  constructor(
    private readonly store: JournalStore | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Reads what an earlier page has left; nothing, where the store fails or does not answer in time. Never rejects. */
  async open(): Promise<void> {
    const { store } = this;
    if (store === undefined) return;
    let kept: readonly JournalEntry[] = [];
    try {
      kept = await withTimeout(OPEN_MS, 'the store', () => store.read());
    } catch {
      // Nothing is known of earlier pages then.
    }
    for (const entry of [...kept].sort((a, b) => a.at - b.at)) {
      this.entries.set(entry.id, entry);
      if (entry.result === undefined) this.interrupted.add(entry.id);
    }
    this.dropOld();
  }

  result(id: string): ProofResult | undefined {
    this.dropOld();
    return this.entries.get(id)?.result;
  }

  /** Whether a proof was pending when an earlier page went, and was not begun again. */
  wasInterrupted(id: string): boolean {
    this.dropOld();
    return this.interrupted.has(id);
  }

  begin(id: string): void {
    this.write({ id, result: undefined, at: this.now() });
  }

  finish(result: ProofResult): void {
    this.write({ id: result.id, result, at: this.now() });
  }

  /** Deletes what is kept of a proof: it has failed, or the app has its result. */
  forget(id: string): void {
    this.interrupted.delete(id);
    if (this.entries.delete(id)) this.follow((store) => store.delete(id));
  }

  private write(entry: JournalEntry): void {
    this.interrupted.delete(entry.id);
    // A Map keeps an id at the place of its first entry.
    this.entries.delete(entry.id);
    this.entries.set(entry.id, entry);
    this.follow((store) => store.write(entry));
    this.dropOld();
  }

  /** Drops the oldest entries: older than a day, or beyond the most. */
  private dropOld(): void {
    for (const { id, at } of this.entries.values()) {
      if (this.entries.size <= MOST_ENTRIES && this.now() - at <= LONGEST_MS) return;
      this.forget(id);
    }
  }

  private follow(operation: (store: JournalStore) => Promise<void>): void {
    if (this.store === undefined || this.unanswered >= MOST_UNANSWERED) return;
    const answer = (): void => {
      this.unanswered--;
    };
    this.unanswered++;
    operation(this.store).then(answer, answer);
  }
}
