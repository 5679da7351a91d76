import { createStore, del, get, keys, set } from 'idb-keyval';
import type { ChunkStore } from './chunk-store.js';

/**
 * A store in IndexedDB. The first operation opens the database. Where IndexedDB is not available (some private windows, sandboxed frames),
 * every operation rejects.
 */
export function indexedDbStore(database = 'pippin'): ChunkStore {
  const store = createStore(database, 'chunks');
  return {
    async get(key) {
      const value: unknown = await get(key, store);
      return value instanceof Uint8Array ? value : undefined;
    },
    async set(key, bytes) {
      // A copy, because storing a view would store its whole buffer, and shared memory cannot be stored at all.
      await set(key, new Uint8Array(bytes), store);
    },
    async delete(key) {
      await del(key, store);
    },
    keys: () => keys<string>(store),
  };
}
