import { untilAborted, withTimeout } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import { PendingWork } from '../../base/pending-work.js';

/** Bytes by name, kept on this device between visits. Every method rejects with whatever the storage beneath says. */
export interface ChunkStore {
  /** The chunk in a fresh buffer, the reader's to keep; undefined when there is none of this name. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Keeps a copy of the bytes, all of them or none, in place of what had this name. */
  set(key: string, bytes: Uint8Array): Promise<void>;
  /** Deletes a chunk. Idempotent. */
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
}

/** The same store, each of whose operations `run` begins. */
export function aroundOperations(store: ChunkStore, run: <T>(operation: () => Promise<T>) => Promise<T>): ChunkStore {
  return {
    get: (key) => run(() => store.get(key)),
    set: (key, bytes) => run(() => store.set(key, bytes)),
    delete: (key) => run(() => store.delete(key)),
    keys: () => run(() => store.keys()),
  };
}

export interface ClosableStore extends ChunkStore {
  /** Fulfilled when all pending operations have ended. Later ones reject with `ABORTED`. */
  close(): Promise<void>;
}

/** A store that tracks its pending operations. */
export function closableStore(store: ChunkStore): ClosableStore {
  const operations = new PendingWork();
  let isClosed = false;
  const known = async <T>(operation: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new PippinError('ABORTED', 'expected an open storage, got one that was closed');
    return operations.note(operation());
  };
  return {
    ...aroundOperations(store, known),
    async close() {
      isClosed = true;
      await operations.ended();
    },
  };
}

/** The timeout in milliseconds of a storage operation on one chunk of a few megabytes, or on a list of their names. */
const ANSWER_WITHIN_MS = 30_000;

/** A storage on which so many operations in a row timed out is not used again. */
const MOST_UNANSWERED = 2;

/**
 * Opens a store whose operations time out after 30 s. When two in a row have timed out, all reject at once from then
 * on.
 *
 * @param signal ends all waiting: pending operations then reject with `ABORTED`.
 */
export async function answeringStore(open: () => Promise<ChunkStore>, signal?: AbortSignal): Promise<ChunkStore> {
  let unanswered = 0;
  let silence: unknown;
  const answered = async <T>(work: () => Promise<T>): Promise<T> => {
    if (unanswered >= MOST_UNANSWERED) throw silence;
    let isAnswered = false;
    const noted = (): Promise<T> =>
      work().finally(() => {
        isAnswered = true;
        unanswered = 0;
      });
    try {
      return await withTimeout(ANSWER_WITHIN_MS, 'the storage', () => untilAborted(noted(), signal));
    } catch (error) {
      if (!isAnswered) {
        unanswered++;
        silence = error;
      }
      throw error;
    }
  };
  const store = await answered(open);
  return aroundOperations(store, answered);
}
