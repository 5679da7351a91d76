import { createStore, del, entries, set } from 'idb-keyval';
import type { PageMessageOf } from './protocol.js';

export type ProofResult = Omit<PageMessageOf<'result'>, 'pippin' | 'type'>;

/** What is kept of a proof beyond the page's life: that it was begun, or its result. Never its inputs. */
export interface JournalEntry {
  readonly id: string;
  /** Undefined if it was under way. */
  readonly result: ProofResult | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Where entries are kept. Each operation may fail: a storage that is full or denied. */
export interface JournalStore {
  read(): Promise<readonly JournalEntry[]>;
  write(entry: JournalEntry): Promise<void>;
  delete(id: string): Promise<void>;
}

/** The most entries; the oldest go first. A result has about 2 kB. */
const MOST_ENTRIES = 64;
/** An app that has not asked for a result for so long will not ask. */
const LONGEST_MS = 24 * 3_600_000;

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
 * The proofs that the page knows of from before it was loaded, and those that it has made. It is read once, at the start; then memory has
 * it all, and the store follows. Without a store that works, results are kept for the page's life alone.
 */
export class Journal {
  private readonly entries = new Map<string, JournalEntry>();
  /** Ids whose proof began in another life of the page and did not end there. */
  private readonly interrupted = new Set<string>();

  constructor(
    private readonly store: JournalStore | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Reads what an earlier page has left. Never rejects. */
  async open(): Promise<void> {
    let kept: readonly JournalEntry[] = [];
    try {
      kept = (await this.store?.read()) ?? [];
    } catch {
      // Nothing is known of earlier pages then.
    }
    for (const entry of [...kept].sort((a, b) => a.at - b.at)) {
      if (this.now() - entry.at > LONGEST_MS) {
        this.follow((store) => store.delete(entry.id));
        continue;
      }
      this.entries.set(entry.id, entry);
      if (entry.result === undefined) this.interrupted.add(entry.id);
    }
    this.dropOldest();
  }

  result(id: string): ProofResult | undefined {
    return this.entries.get(id)?.result;
  }

  /** Whether a proof was under way when an earlier page went, and was not begun again. */
  wasInterrupted(id: string): boolean {
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
    // The place in a Map is that of the first entry of an id.
    this.entries.delete(entry.id);
    this.entries.set(entry.id, entry);
    this.follow((store) => store.write(entry));
    this.dropOldest();
  }

  private dropOldest(): void {
    for (const id of [...this.entries.keys()].slice(0, Math.max(0, this.entries.size - MOST_ENTRIES))) this.forget(id);
  }

  private follow(operation: (store: JournalStore) => Promise<void>): void {
    if (this.store === undefined) return;
    operation(this.store).catch(() => undefined);
  }
}
