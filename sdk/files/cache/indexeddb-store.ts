import { del, get, keys, promisifyRequest, set, type UseStore } from 'idb-keyval';
import { withTimeout } from '../../base/abort.js';
import { freeMemory } from '../../base/free-memory.js';
import type { ChunkStore } from './chunk-store.js';

/** The database's only object store. */
const CHUNKS = 'chunks';

/**
 * The timeout in milliseconds of opening the database: that waits for a `deleteDatabase`, and so for all pages that do
 * not close theirs for it.
 */
const OPENS_WITHIN_MS = 30_000;

/**
 * A store in IndexedDB. The first operation opens the database. Where IndexedDB is not available (some private windows,
 * sandboxed frames), every operation rejects, and so it does when the database does not open within 30 s. Deleting the
 * database does not wait for this store: it closes its connection, and the next operation opens the database anew.
 */
export function indexedDbStore(database = 'pippin'): ChunkStore {
  const chunks = chunksOf(database);
  return {
    async get(key) {
      const value: unknown = await get(key, chunks);
      if (!(value instanceof Blob)) return value instanceof Uint8Array ? value : undefined;
      // A Blob whose file was deleted is as good as none.
      const bytes = await value.arrayBuffer().catch(() => undefined);
      return bytes && new Uint8Array(bytes);
    },
    async set(key, bytes) {
      // Chromium makes a Blob of a large array as well, but of its serialization (docs/strategies/first-proofs.md).
      // WebKit refuses Blobs in private windows.
      if ('userAgentData' in navigator && bytes.buffer instanceof ArrayBuffer)
        return set(key, new Blob([bytes as Uint8Array<ArrayBuffer>]), chunks);
      // A copy, because storing a view would store its whole buffer, and shared memory cannot be stored at all.
      const copy = new Uint8Array(bytes);
      await set(key, copy, chunks);
      freeMemory(copy);
    },
    async delete(key) {
      await del(key, chunks);
    },
    keys: () => keys<string>(chunks),
  };
}

/**
 * Transactions over one connection, in the form that idb-keyval takes. Its own `createStore` keeps the connection open
 * when another script wants to delete the database, and the deletion would wait for as long as the page lives.
 */
function chunksOf(name: string): UseStore {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = (): void => {
    opened = undefined;
  };
  const connect = async (): Promise<IDBDatabase> => {
    const database = await withTimeout(OPENS_WITHIN_MS, 'IndexedDB', () => open(name));
    // The browser has closed it, for example because the user cleared the site's data.
    database.onclose = forget;
    // Pending transactions complete.
    database.onversionchange = () => {
      forget();
      database.close();
    };
    return database;
  };
  return async (mode, callback) => {
    if (opened === undefined) {
      opened = connect();
      opened.catch(forget);
    }
    const database = await opened;
    return callback(database.transaction(CHUNKS, mode).objectStore(CHUNKS));
  };
}

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.result.createObjectStore(CHUNKS);
  return promisifyRequest(request);
}
