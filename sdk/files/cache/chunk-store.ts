import { PippinError } from '../../base/errors.js';
import { PendingWork } from '../../base/pending-work.js';

/** Bytes by name, kept on this device between visits. Every method rejects with whatever the storage beneath says. */
export interface ChunkStore {
  /** The chunk in a buffer of its own, the reader's to keep; undefined when there is none of this name. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Keeps a copy of the bytes, all of them or none, in place of what had this name. */
  set(key: string, bytes: Uint8Array): Promise<void>;
  /** Forgets a chunk. One that does not exist is no error. */
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
  /** Fulfilled when all operations that have begun have ended. Those that are asked for later reject with `ABORTED`. */
  close(): Promise<void>;
}

/** A store that knows which of its operations are under way. */
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
