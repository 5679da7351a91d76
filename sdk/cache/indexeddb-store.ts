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
      await set(key, ownBuffer(bytes), store);
    },
    async delete(key) {
      await del(key, store);
    },
    keys: () => keys<string>(store),
  };
}

/** The bytes with a buffer to themselves: a clone of a view takes its whole buffer along, and a shared one cannot be stored. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? bytes : new Uint8Array(bytes);
}
