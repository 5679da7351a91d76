import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoticeCode } from '../../sdk/api/progress.js';
import { BasesCache } from '../../sdk/engine/bases-cache.js';
import { Call } from '../../sdk/engine/call.js';
import type { EngineConfig } from '../../sdk/engine/engine-api.js';
import { MAP_FORMAT } from '../../sdk/engine/tune/performance-map.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { LoadedSource } from '../../sdk/files/cache/loaded-source.js';
import type { CacheRecord, KeptFile } from '../../sdk/files/cache/prepared-cache.js';
import { nodeEnginePlatform } from '../../sdk/hosts/node/node-engine.js';
import { FaultyStore } from '../support/faulty-store.js';

const PLAN = 'groth16/bn254';
const RECORD: CacheRecord = { facts: { name: 'first' }, arrays: { points: Uint8Array.of(1, 2, 3) } };
const MAP = { format: MAP_FORMAT, made: '2026-11-23', platform: 'Node', workers: { threads: 2, rows: [] } };
const FILE = Uint8Array.of(5, 6, 7);

/** The record that a look into the cache finds, or what it gives in its place. */
const READ = async (record: CacheRecord): Promise<CacheRecord> => record;

let store: FaultyStore;
let openStore: ReturnType<typeof vi.fn<(directory: string | undefined) => Promise<FaultyStore>>>;
/** The notices that belong to no call. */
let notices: (readonly [code: NoticeCode, message: string])[];
let call: Call;
let file: LoadedSource;
beforeEach(() => {
  store = new FaultyStore();
  openStore = vi.fn(async () => store);
  notices = [];
  call = new Call(() => undefined);
  file = new LoadedSource(memorySource(FILE));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function open(config: Partial<EngineConfig> = {}): Promise<BasesCache> {
  return BasesCache.open(
    { ...nodeEnginePlatform, openStore },
    { cache: true, storageBudget: undefined, ...config },
    (...notice) => notices.push(notice),
  );
}

const fails = (error: unknown = new Error('broken')): void => {
  store.fault = () => {
    throw error;
  };
};

/** A store whose `get` answers when it is let go. */
function slowReads(): () => void {
  const get = store.get.bind(store);
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  store.get = (key) => gate.then(() => get(key));
  return letGo;
}

async function keptFile(cache: BasesCache): Promise<KeptFile> {
  cache.keepFile('file/one', {}, file, 1);
  await cache.settled();
  return (await cache.findFile(call, 'file/one'))!;
}

describe('a cache that is opened', () => {
  it('asks for the directory that is given', async () => {
    expect((await open()).kind).toBe('folder');
    expect((await open({ cache: { directory: 'elsewhere' } })).kind).toBe('folder');
    expect(openStore.mock.calls).toEqual([[undefined], ['elsewhere']]);
  });

  it('opens no storage and does nothing where none is wanted', async () => {
    const cache = await open({ cache: false });
    expect([cache.kind, openStore.mock.calls, notices]).toEqual(['none', [], []]);
    await cache.save(PLAN, file, RECORD);
    expect(await cache.load(call, PLAN, file, READ)).toBeUndefined();
    cache.keepFile('file/one', {}, file, 1);
    await cache.settled();
    expect(await cache.findFile(call, 'file/one')).toBeUndefined();
    await cache.saveMap(MAP);
    expect(await cache.loadMap()).toBeUndefined();
    await file.hash();
    await cache.drop(file);
    await cache.clear();
    await cache.close();
    expect([call.report().timeline, notices]).toEqual([[], []]);
  });

  it('is none, with a notice, where the storage cannot be opened or nothing can be hashed', async () => {
    openStore.mockRejectedValueOnce(new Error('forbidden'));
    expect((await open()).kind).toBe('none');
    vi.stubGlobal('crypto', {});
    expect((await open()).kind).toBe('none');
    expect(openStore).toHaveBeenCalledTimes(1);
    expect(notices).toEqual([
      ['CACHE_UNAVAILABLE', 'no cache (forbidden); everything is prepared anew'],
      ['CACHE_UNAVAILABLE', 'no cache (the page is not in a secure context); everything is prepared anew'],
    ]);
  });
});

describe('a storage that fails', () => {
  it.each<[what: string, use: (cache: BasesCache) => Promise<unknown>, isOfCall: boolean]>([
    ['a record is looked for', (cache) => cache.load(call, PLAN, file, READ), true],
    ['a record of a known hash is looked for', (cache) => cache.load(call, PLAN, hashed(), READ), true],
    ['a file is looked for', (cache) => cache.findFile(call, 'file/one'), true],
    ['a record is saved', (cache) => cache.save(PLAN, file, RECORD), false],
    ['the performance map is saved', (cache) => cache.saveMap(MAP), false],
    ['records are dropped', (cache) => cache.drop(hashed()), false],
  ])('is given up, with a notice, when %s', async (_, use, isOfCall) => {
    const cache = await open();
    fails();
    expect(await use(cache)).toBeUndefined();
    expect(cache.kind).toBe('none');
    const told = { code: 'CACHE_UNAVAILABLE', message: 'the cache failed (broken); going on without it' };
    expect(call.report().notices).toEqual(isOfCall ? [told] : []);
    expect(notices).toEqual(isOfCall ? [] : [[told.code, told.message]]);
  });

  it.each<[error: unknown, reason: string]>([
    [new Error('broken'), 'broken'],
    [new TypeError(''), 'TypeError'],
    ['no error at all', 'no error at all'],
    [new DOMException('', 'QuotaExceededError'), 'the storage is full: QuotaExceededError'],
    [Object.assign(new Error('no space left'), { code: 'ENOSPC' }), 'the storage is full: no space left'],
  ])('is told of with the reason: %s', async (error, reason) => {
    const cache = await open();
    fails(error);
    await cache.saveMap(MAP);
    expect(notices).toEqual([['CACHE_UNAVAILABLE', `the cache failed (${reason}); going on without it`]]);
  });

  it('cannot be cleared, and the error says so', async () => {
    const cache = await open();
    const cause = new Error('broken');
    fails(cause);
    await expect(cache.clear()).rejects.toMatchObject({ code: 'IO_FAILED', cause });
  });

  it('is used all the same when only a file has no room', async () => {
    const cache = await open();
    fails();
    cache.keepFile('file/one', {}, file, 1);
    await cache.settled();
    expect(notices).toEqual([['CACHE_UNAVAILABLE', '3 bytes of a file are not cached (broken)']]);
    expect(cache.kind).toBe('folder');
  });

  function hashed(): LoadedSource {
    return new LoadedSource(memorySource(FILE), undefined, 'a hash');
  }
});

describe('a record', () => {
  it('is read once where it is the likely one', async () => {
    const cache = await open();
    await cache.save(PLAN, file, RECORD);
    const reads: (string | undefined)[] = [];
    store.fault = (operation, key) => void (operation === 'get' && reads.push(key));
    const found = await cache.load(call, PLAN, new LoadedSource(memorySource(FILE)), READ);
    expect(found).toEqual(RECORD);
    expect(reads).toHaveLength(2);
  });

  it('that cannot be used is told of with the reason', async () => {
    const cache = await open();
    await cache.save(PLAN, file, RECORD);
    expect(await cache.load(call, PLAN, file, async () => 'of another shape')).toBeUndefined();
    const message = 'the cache is damaged (of another shape); preparing again';
    expect(call.report().notices).toEqual([{ code: 'CACHE_DAMAGED', message }]);
  });

  it('larger than the storage budget is not saved, with a notice', async () => {
    const cache = await open({ storageBudget: 2 });
    await cache.save(PLAN, file, RECORD);
    expect(store.chunks.size).toBe(0);
    expect(notices).toEqual([['CACHE_UNAVAILABLE', '3 bytes are not cached, because storageBudget allows fewer']]);
    expect(cache.kind).toBe('folder');
  });

  it('is dropped with the files that its source was read from, after what is being written', async () => {
    const cache = await open();
    await keptFile(cache);
    const source = new LoadedSource(memorySource(FILE), undefined, undefined, ['file/one']);
    void cache.save(PLAN, source, RECORD);
    await cache.drop(source);
    await cache.settled();
    expect([...store.chunks.keys()]).toEqual([]);
  });

  it('of another source stays where a hash is not known', async () => {
    const cache = await open();
    await cache.save(PLAN, file, RECORD);
    fails();
    await cache.drop(new LoadedSource(memorySource(FILE)));
    expect([cache.kind, store.chunks.size]).toEqual(['folder', 2]);
  });
});

describe('a file', () => {
  it('is kept with its facts, and read with its hash', async () => {
    const cache = await open();
    cache.keepFile('file/one', { etag: '"1"' }, file, 2);
    await cache.settled();
    const found = await cache.findFile(call, 'file/one');
    expect(found).toMatchObject({ facts: { etag: '"1"' }, size: FILE.length });
    const { source, hash } = (await cache.readFile(call, found!))!;
    expect(await source.read(0, source.size)).toEqual(FILE);
    expect(hash).toBe(await file.hash());
    expect(call.report().timeline.map(({ phase }) => phase)).toEqual(['cache-read']);
    await cache.dropFile('file/one');
    expect(await cache.findFile(call, 'file/one')).toBeUndefined();
    expect([call.report().notices, notices, cache.kind]).toEqual([[], [], 'folder']);
  });

  it('must fit the storage budget as many times as asked', async () => {
    for (const [storageBudget, isKept] of [
      [8, false],
      [9, true],
    ] as const) {
      const cache = await open({ storageBudget });
      notices = [];
      cache.keepFile('file/one', {}, file, 3);
      await cache.settled();
      expect((await cache.findFile(call, 'file/one')) !== undefined).toBe(isKept);
      expect(notices.map(([code, message]) => [code, message.slice(0, 53)])).toEqual(
        isKept ? [] : [['CACHE_UNAVAILABLE', '3 bytes of a file are not cached (storageBudget is to']],
      );
    }
  });

  it('that is damaged is told of, whether in its manifest or in its bytes', async () => {
    const cache = await open();
    const found = await keptFile(cache);
    store.chunks.set('file/one#0.0', Uint8Array.of(5, 6, 8));
    expect(await cache.readFile(call, found)).toBeUndefined();
    store.chunks.set('file/one#manifest', new Uint8Array(9));
    expect(await cache.findFile(call, 'file/one')).toBeUndefined();
    const told = call.report().notices;
    expect(told.map(({ code }) => code)).toEqual(['CACHE_DAMAGED', 'CACHE_DAMAGED']);
    expect(told[0]!.message).toBe(
      'a file in the cache is damaged (chunk 0 of file has another hash); fetching it again',
    );
  });
});

describe('the performance map', () => {
  it('is found by another prover', async () => {
    const cache = await open();
    expect(await cache.loadMap()).toBeUndefined();
    await cache.saveMap(MAP);
    expect(await (await open()).loadMap()).toEqual(MAP);
    expect([notices, cache.kind]).toEqual([[], 'folder']);
  });
});

describe('a cache that is closed', () => {
  it('has written everything', async () => {
    const cache = await open();
    void cache.save(PLAN, file, RECORD);
    await cache.close();
    expect(cache.kind).toBe('none');
    expect(await (await open()).load(call, PLAN, file, READ)).toEqual(RECORD);
  });

  it('lets what is being read end, and begins nothing more', async () => {
    const cache = await open();
    const found = await keptFile(cache);
    const letGo = slowReads();
    const reading = found.read();
    const closing = cache.close();
    letGo();
    expect(await reading).toMatchObject({ hash: await file.hash() });
    await closing;
    await expect(found.read()).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('waits a second for what is being read', async () => {
    const cache = await open();
    const found = await keptFile(cache);
    slowReads();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const ends: string[] = [];
    const reading = found.read().catch(({ code }) => void ends.push(code));
    const closing = cache.close().then(() => ends.push('closed'));
    await vi.advanceTimersByTimeAsync(999);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await closing;
    await vi.advanceTimersByTimeAsync(0);
    expect(ends.sort()).toEqual(['ABORTED', 'closed']);
    await reading;
  });
});
