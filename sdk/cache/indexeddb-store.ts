import { createStore, del, get, keys, set } from 'idb-keyval';
import { ownBuffer } from '../own-buffer.js';
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
      await set(key, ownBuffer(bytes), store);
    },
    async delete(key) {
      await del(key, store);
    },
    keys: () => keys<string>(store),
  };
}
