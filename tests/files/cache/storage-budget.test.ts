import { beforeEach, describe, expect, it } from 'vitest';
import { PreparedCache } from '../../../sdk/files/cache/prepared-cache.js';
import { FaultyStore } from '../../support/faulty-store.js';

let store: FaultyStore;
beforeEach(() => {
  store = new FaultyStore();
});

const recordOf = (bytes: number) => ({
  facts: {},
  arrays: { points: new Uint8Array(bytes), indices: new Uint8Array(0) },
});

const KEYS = ['a', 'b', 'c', 'd'];

/** The records that a new cache finds. */
async function kept(): Promise<string> {
  const found: string[] = [];
  for (const key of KEYS) if ((await new PreparedCache(store).load(key)).kind === 'hit') found.push(key);
  return found.join('');
}

describe('a cache with a storage budget', () => {
  it('deletes whole records, those first that were not used for the longest time', async () => {
    const cache = new PreparedCache(store, 100);
    for (const key of ['a', 'b', 'c']) expect(await cache.save(key, recordOf(33))).toEqual({ kind: 'saved' });
    expect(await kept()).toBe('abc');
    await cache.load('a');
    await cache.save('d', recordOf(40));
    expect(await kept()).toBe('ad');
    expect([...store.chunks.keys()].filter((name) => /^[bc]#/.test(name))).toEqual([]);
    await cache.save('b', recordOf(100));
    expect(await kept()).toBe('b');
  });

  it('takes the reading of a file for a use of it', async () => {
    const cache = new PreparedCache(store, 100);
    await cache.saveFile('a', {}, { size: 33, read: async (_, length) => new Uint8Array(length) });
    for (const key of ['b', 'c']) await cache.save(key, recordOf(33));
    const found = await cache.findFile('a');
    if (found.kind === 'hit') await found.file.read();
    await cache.save('d', recordOf(33));
    expect(await kept()).toBe('acd');
  });

  it('knows the use of records from visits before, and takes those without any for the oldest', async () => {
    await new PreparedCache(store).save('b', recordOf(30));
    await new PreparedCache(store, 100).save('a', recordOf(30));
    await new PreparedCache(store, 100).save('c', recordOf(30));
    await new PreparedCache(store, 100).load('a');
    const cache = new PreparedCache(store, 100);
    await cache.save('d', recordOf(40));
    expect(await kept()).toBe('acd');
    await cache.save('b', recordOf(40));
    expect(await kept()).toBe('bd');
  });

  it('replaces a record without counting it twice', async () => {
    const cache = new PreparedCache(store, 100);
    await cache.save('a', recordOf(40));
    await cache.save('b', recordOf(50));
    await cache.save('b', recordOf(60));
    expect(await kept()).toBe('ab');
  });

  it('does not keep what is larger, and deletes nothing for it', async () => {
    const cache = new PreparedCache(store, 100);
    await cache.save('a', recordOf(100));
    expect(await cache.save('b', recordOf(101))).toEqual({ kind: 'too large', bytes: 101 });
    expect(await kept()).toBe('a');
  });

  it('keeps the budget when records are saved at the same time', async () => {
    const cache = new PreparedCache(store, 100);
    await Promise.all(KEYS.map((key) => cache.save(key, recordOf(45))));
    expect(await kept()).toBe('cd');
  });

  it('deletes records whose manifest is damaged first', async () => {
    const cache = new PreparedCache(store, 100);
    await cache.save('a', recordOf(60));
    await cache.save('b', recordOf(30));
    await store.set('a#manifest', new Uint8Array(3));
    await store.delete('a#used');
    await cache.save('c', recordOf(90));
    expect(await kept()).toBe('c');
  });

  it('goes on after a save that failed, and serves a record whose use cannot be noted', async () => {
    const cache = new PreparedCache(store, 100);
    await cache.save('a', recordOf(10));
    store.fault = (operation) => {
      if (operation === 'set') throw new Error('the quota is exceeded');
    };
    expect(await cache.save('b', recordOf(20))).toMatchObject({ kind: 'unavailable' });
    expect((await cache.load('a')).kind).toBe('hit');
    store.fault = () => undefined;
    expect(await cache.save('c', recordOf(20))).toEqual({ kind: 'saved' });
    expect(await kept()).toBe('ac');
  });
});
