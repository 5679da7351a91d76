import { beforeEach, describe, expect, it } from 'vitest';
import type { Notice, NoticeCode } from '../../sdk/api/progress.js';
import { BasesCache } from '../../sdk/engine/bases-cache.js';
import { Call } from '../../sdk/engine/call.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { LoadedSource } from '../../sdk/files/cache/loaded-source.js';
import type { CacheRecord } from '../../sdk/files/cache/prepared-cache.js';
import { nodeEnginePlatform } from '../../sdk/hosts/node/node-engine.js';
import { FaultyStore } from '../support/faulty-store.js';

const PLAN = 'groth16/bn254';
const RECORD: CacheRecord = { facts: { name: 'first' }, arrays: { points: Uint8Array.of(1, 2, 3) } };
const OTHER: CacheRecord = { facts: { name: 'second' }, arrays: { points: Uint8Array.of(4) } };

const loaded = (...bytes: number[]): LoadedSource => new LoadedSource(memorySource(Uint8Array.from(bytes)));

let file: LoadedSource;
let sameSize: LoadedSource;

let store: FaultyStore;
/** The notices that belong to no call. */
let notices: NoticeCode[];
beforeEach(() => {
  [file, sameSize] = [loaded(7, 7), loaded(7, 8)];
  store = new FaultyStore();
  notices = [];
});

function open(): Promise<BasesCache> {
  return BasesCache.open(
    { ...nodeEnginePlatform, openStore: async () => store },
    { cache: true, storageBudget: undefined },
    (code) => notices.push(code),
  );
}

/** What another visit finds: the facts of the record, the phases of looking for it, and the call's notices. */
async function look(
  cache: BasesCache,
  source: LoadedSource,
  plan = PLAN,
): Promise<{ facts: unknown; phases: string[]; notices: readonly Notice[] }> {
  const call = new Call(() => undefined);
  const found = await cache.load(call, plan, new LoadedSource(source), async ({ facts }) => ({ facts }));
  const { timeline, notices: told } = call.report();
  return { facts: found?.facts, phases: timeline.map(({ phase }) => phase).sort(), notices: told };
}

const unreadable = new LoadedSource({
  size: 2,
  read: async () => {
    throw new Error('it was changed since it was opened');
  },
});

describe('BasesCache', () => {
  it('hashes no file of which there is no record', async () => {
    const cache = await open();
    const nothing = { facts: undefined, phases: ['cache-read'], notices: [] };
    expect(await look(cache, unreadable)).toEqual(nothing);
    await cache.save(PLAN, file, RECORD);
    expect(await look(cache, file, 'groth16/bls12-381')).toEqual(nothing);
    expect(await look(cache, loaded(7))).toEqual(nothing);
  });

  it('finds the record of a file among those of files of its size', async () => {
    const cache = await open();
    await cache.save(PLAN, file, RECORD);
    expect(await look(cache, sameSize)).toMatchObject({
      facts: undefined,
      phases: ['cache-read', 'hash'],
      notices: [],
    });
    await cache.save(PLAN, sameSize, OTHER);
    expect((await look(cache, file)).facts).toEqual(RECORD.facts);
    expect((await look(cache, sameSize)).facts).toEqual(OTHER.facts);
    const another = await open();
    expect((await look(another, sameSize)).facts).toEqual(OTHER.facts);
  });

  it('reads a source once, however many records it has', async () => {
    let bytesRead = 0;
    const bytes = memorySource(Uint8Array.of(7, 7));
    const counted = new LoadedSource({
      size: bytes.size,
      read: (offset, length) => {
        bytesRead += length;
        return bytes.read(offset, length);
      },
    });
    const cache = await open();
    const plans = ['first', 'second', 'third'];
    await Promise.all(plans.map((plan) => cache.save(plan, counted, RECORD)));
    for (const plan of plans) {
      const call = new Call(() => undefined);
      expect(await cache.load(call, plan, counted, async ({ facts }) => ({ facts }))).toEqual({ facts: RECORD.facts });
      expect(call.report().timeline.map(({ phase }) => phase)).toEqual(['cache-read']);
    }
    expect(bytesRead).toBe(2);
  });

  it('tells of damage in the record of this file alone', async () => {
    const cache = await open();
    await cache.save(PLAN, file, RECORD);
    const chunk = [...store.chunks.keys()].find((name) => name.endsWith('#0.0'))!;
    store.chunks.set(chunk, Uint8Array.of(1, 2, 4));
    expect((await look(cache, sameSize)).notices).toEqual([]);
    expect((await look(cache, file)).notices.map(({ code }) => code)).toEqual(['CACHE_DAMAGED']);
  });

  it('saves nothing of a file that cannot be read any more, and goes on', async () => {
    const cache = await open();
    await cache.save(PLAN, unreadable, RECORD);
    expect([store.chunks.size, notices, cache.kind]).toEqual([0, [], 'folder']);
  });

  it('says so when the storage is full, and is used no more', async () => {
    const cache = await open();
    store.fault = (operation) => {
      if (operation === 'set') throw new DOMException('full', 'QuotaExceededError');
    };
    await cache.save(PLAN, file, RECORD);
    expect([store.chunks.size, notices, cache.kind]).toEqual([0, ['CACHE_UNAVAILABLE'], 'none']);
  });

  it('lets what it writes end before it has settled or is cleared', async () => {
    const cache = await open();
    void cache.save(PLAN, file, RECORD);
    await cache.settled();
    expect((await look(cache, file)).facts).toEqual(RECORD.facts);
    void cache.save(PLAN, sameSize, OTHER);
    await cache.clear();
    // Nothing comes after it.
    await cache.settled();
    expect(store.chunks.size).toBe(0);
  });

  it('stops looking when the call is aborted', async () => {
    const cache = await open();
    await cache.save(PLAN, file, RECORD);
    const call = new Call(() => undefined);
    call.abort();
    await expect(cache.load(call, PLAN, file, async () => RECORD)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('shares its storage with another prover that writes the same record', async () => {
    const [one, two] = [await open(), await open()];
    await Promise.all([one.save(PLAN, file, RECORD), two.save(PLAN, file, RECORD)]);
    expect((await look(one, file)).facts).toEqual(RECORD.facts);
    expect(notices).toEqual([]);
  });
});
