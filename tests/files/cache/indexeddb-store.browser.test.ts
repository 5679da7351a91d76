import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { indexedDbStore } from '../../../sdk/files/cache/indexeddb-store.js';
import { CHUNK_BYTES } from '../../../sdk/files/cache/manifest.js';
import { PreparedCache } from '../../../sdk/files/cache/prepared-cache.js';

let database: string;
beforeEach(() => {
  database = `pippin-test-${crypto.randomUUID()}`;
});
// Awaited, so that no connection of one test closes during the next one.
afterEach(() => deleteDatabase());

describe('indexedDbStore', () => {
  it('keeps, lists, replaces and deletes chunks', async () => {
    const store = indexedDbStore(database);
    expect(await store.keys()).toEqual([]);
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', new Uint8Array([1, 2, 3]));
    await store.set('b', new Uint8Array(0));
    await store.set('a', new Uint8Array([4]));
    const other = indexedDbStore(database);
    expect(await other.get('a')).toStrictEqual(new Uint8Array([4]));
    expect(await other.get('b')).toStrictEqual(new Uint8Array(0));
    expect((await other.keys()).toSorted()).toEqual(['a', 'b']);
    await store.delete('a');
    await store.delete('never kept');
    expect(await other.keys()).toEqual(['b']);
  });

  it('keeps a view without the buffer around it', async () => {
    const store = indexedDbStore(database);
    const whole = new Uint8Array(1000).fill(9);
    await store.set('a', whole.subarray(5, 8));
    const bytes = (await store.get('a'))!;
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([3, 3]);
    expect(whole.length).toBe(1000);
  });
});

describe('the Blobs of Chromium', () => {
  it('are what is stored, and arrays of earlier versions are read as well', async () => {
    const store = indexedDbStore(database);
    await store.set('new', new Uint8Array([1, 2]));
    const value = await (await openedChunks('readonly')).get('new');
    expect(value).toBeInstanceOf(Blob);
    await (await openedChunks('readwrite')).put(new Uint8Array([3, 4]), 'old');
    expect(await store.get('old')).toStrictEqual(new Uint8Array([3, 4]));
    await (await openedChunks('readwrite')).put('neither', 'odd');
    expect(await store.get('odd')).toBeUndefined();
  });

  it('are stored of shared memory as well', async () => {
    const store = indexedDbStore(database);
    // A page without isolation has no other.
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const shared = new Uint8Array(memory.buffer, 0, 3).fill(5);
    await store.set('shared', shared);
    expect(await store.get('shared')).toStrictEqual(new Uint8Array([5, 5, 5]));
  });

  it('are as good as none when their bytes cannot be read', async () => {
    const store = indexedDbStore(database);
    await store.set('a', new Uint8Array([1]));
    const reading = vi
      .spyOn(Blob.prototype, 'arrayBuffer')
      .mockRejectedValue(new DOMException('gone', 'NotFoundError'));
    expect(await store.get('a')).toBeUndefined();
    reading.mockRestore();
    expect(await store.get('a')).toStrictEqual(new Uint8Array([1]));
  });
});

/** The store's operations, as another script sees them. */
async function openedChunks(mode: IDBTransactionMode) {
  const answer = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const opened = await answer(indexedDB.open(database));
  const chunks = opened.transaction('chunks', mode).objectStore('chunks');
  const ended = <T>(work: Promise<T>): Promise<T> => work.finally(() => opened.close());
  return {
    get: (key: string) => ended<unknown>(answer(chunks.get(key))),
    put: (value: unknown, key: string) => ended(answer(chunks.put(value, key))),
  };
}

/** Deletes the database as another script of the origin does. Rejects if it is kept by an open connection. */
function deleteDatabase(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('expected the database to be deleted, got a connection that keeps it'));
  });
}

describe('a database that another script deletes', () => {
  it('is deleted at once, and is made anew by what is written next', async () => {
    const [store, other] = [indexedDbStore(database), indexedDbStore(database)];
    for (let times = 0; times < 3; times++) {
      await store.set('a', new Uint8Array([times]));
      expect(await other.get('a')).toStrictEqual(new Uint8Array([times]));
      await deleteDatabase();
      expect(await other.get('a')).toBeUndefined();
      expect(await store.keys()).toEqual([]);
    }
  });

  it('is deleted while it is being read and written', async () => {
    const store = indexedDbStore(database);
    await store.set('a', new Uint8Array(1000));
    const operations = Array.from({ length: 50 }, (_, i) =>
      i % 2 === 0 ? store.set(`${i}`, new Uint8Array([i])) : store.get('a'),
    );
    await Promise.all([...operations, deleteDatabase()]);
    await store.set('b', new Uint8Array([2]));
    expect(await store.get('b')).toStrictEqual(new Uint8Array([2]));
  });

  it('does not keep an operation for ever when another connection does not close', async () => {
    const stubborn = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(database);
      request.onupgradeneeded = () => request.result.createObjectStore('chunks');
      request.onsuccess = () => resolve(request.result);
    });
    const store = indexedDbStore(database);
    await store.set('a', new Uint8Array([1]));
    const closing = vi.spyOn(IDBDatabase.prototype, 'close');
    await expect(deleteDatabase()).rejects.toThrow('a connection that keeps it');
    // The browser may report the blocking connection before it asks the store to close its own.
    const closedHere = () =>
      closing.mock.contexts.filter((connection) => (connection as IDBDatabase).name === database);
    await expect.poll(() => closedHere()).toHaveLength(1);
    // Opening waits for the deletion, and that waits for the other connection.
    const reading = store.get('a');
    expect(await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))])).toBe('waits');
    closing.mockRestore();
    stubborn.close();
    expect(await reading).toBeUndefined();
  });
});

describe('PreparedCache on IndexedDB', () => {
  it('gives back more than one chunk, and finds one missing', async () => {
    const store = indexedDbStore(database);
    const points = new Uint8Array(CHUNK_BYTES + 33);
    for (let i = 0; i < points.length; i += 509) points[i] = i;
    const cache = new PreparedCache(store);
    expect(await cache.load('key')).toEqual({ kind: 'miss' });
    expect(await cache.save('key', { facts: { count: 5 }, arrays: { points } })).toEqual({ kind: 'saved' });
    const outcome = await new PreparedCache(indexedDbStore(database)).load('key');
    if (outcome.kind !== 'hit') throw new Error(`expected a hit, got ${outcome.kind}`);
    expect(outcome.record.facts).toEqual({ count: 5 });
    expect(indexedDB.cmp(outcome.record.arrays.points!, points)).toBe(0);
    const chunk = (await store.keys()).find((key) => !key.endsWith('manifest'))!;
    await store.delete(chunk);
    expect(await cache.load('key')).toMatchObject({ kind: 'damaged' });
    expect(await cache.clear()).toEqual({ kind: 'removed' });
    expect(await store.keys()).toEqual([]);
  });

  it('is unavailable in a frame that may not store', async () => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    const answer = new Promise((resolve) => {
      window.addEventListener('message', (message) => message.source === frame.contentWindow && resolve(message.data));
    });
    frame.srcdoc = `<script>
      try { indexedDB.open('x').onerror = () => parent.postMessage('refused', '*'); }
      catch (error) { parent.postMessage('refused', '*'); }
    </script>`;
    document.body.append(frame);
    // What such a frame does is what the next lines do to this one's IndexedDB.
    expect(await answer).toBe('refused');
    frame.remove();
    const original = indexedDB.open;
    const refusal = new DOMException('access to the Indexed Database API is denied in this context', 'SecurityError');
    IDBFactory.prototype.open = () => {
      throw refusal;
    };
    try {
      const cache = new PreparedCache(indexedDbStore(database));
      expect(await cache.save('key', { facts: 1, arrays: {} })).toEqual({ kind: 'unavailable', cause: refusal });
      expect(await cache.load('key')).toEqual({ kind: 'unavailable', cause: refusal });
    } finally {
      IDBFactory.prototype.open = original;
    }
  });
});
