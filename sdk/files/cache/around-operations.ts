import type { ChunkStore } from './chunk-store.js';

/** The same store, each of whose operations `run` begins. */
export function aroundOperations(store: ChunkStore, run: <T>(operation: () => Promise<T>) => Promise<T>): ChunkStore {
  return {
    get: (key) => run(() => store.get(key)),
    set: (key, bytes) => run(() => store.set(key, bytes)),
    delete: (key) => run(() => store.delete(key)),
    keys: () => run(() => store.keys()),
  };
}
