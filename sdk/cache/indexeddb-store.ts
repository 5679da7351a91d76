import { createStore, del, get, keys, set } from 'idb-keyval';
import type { ChunkStore } from './chunk-store.js';

/**
 * A store in IndexedDB. The database is opened by the first operation; where there is none to be had (some private windows,
 * a sandboxed frame), every operation rejects.
 */
export function indexedDbStore(database = 'pippin'): ChunkStore {
  const store = createStore(database, 'chunks');
  return {
    async get(key) {
      const value: unknown = await get(key, store);
      return value instanceof Uint8Array ? value : undefined;
    },
    async set(key, bytes) {
      // A copy, because of a view its whole buffer is stored, and a shared one cannot be.
      await set(key, new Uint8Array(bytes), store);
    },
    async delete(key) {
      await del(key, store);
    },
    keys: () => keys<string>(store),
  };
}
