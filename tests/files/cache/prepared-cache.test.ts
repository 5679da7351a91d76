import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import type { ByteSource } from '../../../sdk/files/byte-source.js';
import { CHUNK_BYTES, encodeManifest } from '../../../sdk/files/cache/manifest.js';
import { type CacheRecord, PreparedCache } from '../../../sdk/files/cache/prepared-cache.js';
import { FaultyStore } from '../../support/faulty-store.js';

const KEY = 'v1/bn254/g1/weierstrass/13/0123abcd';

/** `length` bytes that differ from chunk to chunk. */
function pattern(length: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + seed, 2654435761);
  return new Uint8Array(words.buffer).subarray(0, length);
}

/** Five chunks in three arrays, one of them empty. */
const record: CacheRecord = {
  facts: { curve: 'bn254', count: 12, exceptional: [3, 5], nested: { name: 'Grüße' } },
  arrays: {
    points: pattern(2 * CHUNK_BYTES + 5, 1),
    indices: pattern(48, 2),
    exceptional: new Uint8Array(0),
    exact: pattern(CHUNK_BYTES, 3),
  },
};
const CHUNKS = 5;

function setUp(): { store: FaultyStore; cache: PreparedCache } {
  const store = new FaultyStore();
  return { store, cache: new PreparedCache(store) };
}

/** Compares lengths and bytes without vitest's slow walk through large arrays. */
function expectRecord(actual: CacheRecord, expected: CacheRecord): void {
  expect(actual.facts).toEqual(expected.facts);
  expect(Object.keys(actual.arrays)).toEqual(Object.keys(expected.arrays));
  for (const [name, bytes] of Object.entries(expected.arrays)) {
    expect(Buffer.compare(actual.arrays[name]!, bytes), name).toBe(0);
  }
}

async function expectHit(cache: PreparedCache, key: string, expected: CacheRecord): Promise<void> {
  const outcome = await cache.load(key);
  if (outcome.kind !== 'hit') throw new Error(`expected a hit, got ${JSON.stringify(outcome)}`);
  expectRecord(outcome.record, expected);
}

/** A store in which the record lies; filled once, because hashing takes its time. */
let filled: Promise<FaultyStore> | undefined;

async function fill(): Promise<FaultyStore> {
  const { store, cache } = setUp();
  await cache.save(KEY, record);
  return store;
}

/**
 * Changes what `change` changes in a store with the record, and gives the outcome of loading. Chunks are replaced, not
 * written into.
 */
async function loadAfter(
  change: (chunks: Map<string, Uint8Array>, names: readonly string[]) => void,
): Promise<unknown> {
  filled ??= fill();
  const { chunks, written } = await filled;
  const store = new FaultyStore();
  for (const [name, bytes] of chunks) store.chunks.set(name, bytes);
  change(store.chunks, written);
  return new PreparedCache(store).load(KEY);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('PreparedCache', () => {
  it('gives back what was saved, from chunks of at most 4 MiB', async () => {
    const { store, cache } = setUp();
    expect(await cache.load(KEY)).toEqual({ kind: 'miss' });
    expect(await cache.save(KEY, record)).toEqual({ kind: 'saved' });
    expect(store.written.length).toBe(CHUNKS + 1);
    expect(store.written.at(-1)).toContain('manifest');
    for (const bytes of store.chunks.values()) expect(bytes.length).toBeLessThanOrEqual(4 * 2 ** 20);
    await expectHit(cache, KEY, record);
    expect(await cache.load(`${KEY}0`)).toEqual({ kind: 'miss' });
  });

  it('has no manifest while chunks are being replaced', async () => {
    const { store, cache } = setUp();
    await cache.save(KEY, record);
    const set = store.set.bind(store);
    const replaced: string[] = [];
    vi.spyOn(store, 'set').mockImplementation((name, bytes) => {
      replaced.push(name);
      expect([...store.chunks.keys()].some((kept) => kept.endsWith('manifest'))).toBe(false);
      return set(name, bytes);
    });
    expect(await cache.save(KEY, record)).toEqual({ kind: 'saved' });
    expect(replaced).toHaveLength(CHUNKS + 1);
  });

  it('finds files alone, and reads no more of a source than it has', async () => {
    const { store, cache } = setUp();
    expect(await cache.findFile(KEY)).toEqual({ kind: 'miss' });
    await cache.save(KEY, record);
    expect(await cache.findFile(KEY)).toMatchObject({ kind: 'damaged', what: 'the record is no file' });
    await cache.save(KEY, { facts: 1, arrays: {} });
    expect(await cache.findFile(KEY)).toMatchObject({ kind: 'damaged', what: 'the record is no file' });
    const bytes = pattern(2 * CHUNK_BYTES + 5, 6);
    const read: [from: number, length: number][] = [];
    const source: ByteSource = {
      size: bytes.length,
      read: async (from, length) => {
        read.push([from, length]);
        return bytes.slice(from, from + length);
      },
    };
    expect(await cache.saveFile(KEY, 7, source)).toEqual({ kind: 'saved' });
    expect(read).toEqual([
      [0, CHUNK_BYTES],
      [CHUNK_BYTES, CHUNK_BYTES],
      [2 * CHUNK_BYTES, 5],
    ]);
    const manifest = [...store.chunks.keys()].find((name) => name.endsWith('manifest'))!;
    store.chunks.set(manifest, store.chunks.get(manifest)!.subarray(1));
    expect(await cache.findFile(KEY)).toMatchObject({ kind: 'damaged', what: 'the manifest has another hash' });
  });

  it('tells what is wrong with a chunk', async () => {
    const first = `${KEY}#0.0`;
    const ofFirst = (change: (chunk: Uint8Array) => Uint8Array) =>
      loadAfter((chunks) => chunks.set(first, change(chunks.get(first)!)));
    const [cut, changed] = [await ofFirst((chunk) => chunk.subarray(1)), await ofFirst((chunk) => chunk.with(0, 99))];
    const where = 'chunk 0 of points';
    expect(cut).toEqual({ kind: 'damaged', what: `${where} has ${CHUNK_BYTES - 1} bytes instead of ${CHUNK_BYTES}` });
    expect(changed).toEqual({ kind: 'damaged', what: `${where} has another hash` });
    const missing = await loadAfter((chunks) => chunks.delete(first));
    expect(missing).toEqual({ kind: 'damaged', what: `${where} is missing` });
  });

  it('takes any error of the storage for a fault, but for an abort of ours', async () => {
    const { store, cache } = setUp();
    for (const cause of [new PippinError('IO_FAILED', 'expected a disk, got none'), { code: 'ABORTED' }]) {
      store.fault = () => {
        throw cause;
      };
      expect(await cache.load(KEY)).toEqual({ kind: 'unavailable', cause });
    }
    const cause = new PippinError('ABORTED', 'the call was aborted');
    store.fault = () => {
      throw cause;
    };
    await expect(cache.load(KEY)).rejects.toBe(cause);
  });

  it('tells what is wrong with a file when it is read', async () => {
    const { store, cache } = setUp();
    const bytes = pattern(9, 6);
    await cache.saveFile(KEY, 7, { size: 9, read: async () => bytes.slice() });
    const found = await cache.findFile(KEY);
    if (found.kind !== 'hit') throw new Error('expected the file');
    store.fault = (operation) => {
      if (operation === 'get') throw new Error('no disk');
    };
    expect(await found.file.read()).toMatch(/^it cannot be read: .*no disk/);
    store.fault = () => undefined;
    const [chunk] = [...store.chunks.keys()].filter((name) => !name.endsWith('manifest'));
    store.chunks.delete(chunk!);
    expect(await found.file.read()).toMatch(/^chunk 0 of .* is missing$/);
  });

  it('keeps a record without arrays, and one of empty arrays', async () => {
    const { cache } = setUp();
    for (const arrays of [{}, { none: new Uint8Array(0) }]) {
      expect(await cache.save(KEY, { facts: null, arrays })).toEqual({ kind: 'saved' });
      await expectHit(cache, KEY, { facts: null, arrays });
    }
  });

  it('keeps arrays of any names', async () => {
    const { cache } = setUp();
    const arrays = Object.fromEntries([
      ['__proto__', pattern(9, 1)],
      ['constructor', pattern(8, 2)],
    ]);
    await cache.save(KEY, { facts: 1, arrays });
    await expectHit(cache, KEY, { facts: 1, arrays });
  });

  it('keeps a view without the buffer around it', async () => {
    const { cache } = setUp();
    const view = pattern(100, 7).subarray(10, 20);
    await cache.save(KEY, { facts: 1, arrays: { view } });
    await expectHit(cache, KEY, { facts: 1, arrays: { view } });
  });

  it('replaces a record', async () => {
    const { cache } = setUp();
    await cache.save(KEY, { facts: 1, arrays: { a: pattern(10, 1) } });
    await cache.save(KEY, { facts: 2, arrays: { a: pattern(11, 2) } });
    await expectHit(cache, KEY, { facts: 2, arrays: { a: pattern(11, 2) } });
  });

  it('removes one record and leaves others, whose keys may begin alike', async () => {
    const { store, cache } = setUp();
    const small: CacheRecord = { facts: 1, arrays: { a: pattern(10, 1) } };
    for (const key of [KEY, `${KEY}0`, `${KEY}/0`]) await cache.save(key, small);
    expect(await cache.remove(KEY)).toEqual({ kind: 'removed' });
    expect(await cache.load(KEY)).toEqual({ kind: 'miss' });
    await expectHit(cache, `${KEY}0`, small);
    await expectHit(cache, `${KEY}/0`, small);
    expect(await cache.remove('never saved')).toEqual({ kind: 'removed' });
    expect(await cache.clear()).toEqual({ kind: 'removed' });
    expect(store.chunks.size).toBe(0);
  });

  it('reads well while another writes the same, and both writers end in a good record', async () => {
    const { store, cache } = setUp();
    const other = new PreparedCache(store);
    const saves = Promise.all([cache.save(KEY, record), other.save(KEY, record)]);
    expect(['hit', 'miss']).toContain((await cache.load(KEY)).kind);
    expect(await saves).toEqual([{ kind: 'saved' }, { kind: 'saved' }]);
    await expectHit(cache, KEY, record);
  });
});

describe('damage', () => {
  it.each(Array.from({ length: CHUNKS }, (_, i) => i))('is told when chunk %i is missing', async (i) => {
    expect(await loadAfter((chunks, names) => chunks.delete(names[i]!))).toMatchObject({
      kind: 'damaged',
      what: expect.stringMatching(/^chunk \d of \w+ is missing$/),
    });
  });

  it.each(Array.from({ length: CHUNKS + 1 }, (_, i) => i))('is told when a bit of part %i is flipped', async (i) => {
    for (const position of ['first', 'last'] as const) {
      const outcome = await loadAfter((chunks, names) => {
        const bytes = chunks.get(names[i]!)!.slice();
        bytes[position === 'first' ? 0 : bytes.length - 1]! ^= 0x10;
        chunks.set(names[i]!, bytes);
      });
      expect(outcome).toMatchObject({ kind: 'damaged', what: expect.stringContaining('has another hash') });
    }
  });

  it.each(Array.from({ length: CHUNKS + 1 }, (_, i) => i))('is told when part %i is cut short or empty', async (i) => {
    for (const rest of [-1, 0]) {
      const outcome = await loadAfter((chunks, names) => chunks.set(names[i]!, chunks.get(names[i]!)!.slice(0, rest)));
      expect(outcome).toMatchObject({ kind: 'damaged' });
    }
  });

  it('is told when chunks are exchanged', async () => {
    const outcome = await loadAfter((chunks, names) => {
      const [a, b] = [chunks.get(names[0]!)!, chunks.get(names[1]!)!];
      chunks.set(names[0]!, b).set(names[1]!, a);
    });
    expect(outcome).toMatchObject({ kind: 'damaged' });
  });

  it('is a miss when the manifest is missing', async () => {
    expect(await loadAfter((chunks, names) => chunks.delete(names.at(-1)!))).toEqual({ kind: 'miss' });
  });

  it.each([
    ['is no JSON', 'not { json'],
    ['is null', 'null'],
    ['lacks the arrays', JSON.stringify({ key: KEY, facts: 1 })],
    [
      'has an array of another number of chunks',
      JSON.stringify({ key: KEY, facts: 1, arrays: [{ name: 'a', length: 1, chunks: [] }] }),
    ],
    [
      'has an array of negative length',
      JSON.stringify({ key: KEY, facts: 1, arrays: [{ name: 'a', length: -1, chunks: [] }] }),
    ],
    ['has an array without a name', JSON.stringify({ key: KEY, facts: 1, arrays: [{ length: 0, chunks: [] }] })],
    [
      'has an array that no memory can hold',
      JSON.stringify({
        key: KEY,
        facts: 1,
        arrays: [{ name: 'a', length: 2 ** 40, chunks: Array.from({ length: 2 ** 40 / CHUNK_BYTES }, () => '') }],
      }),
    ],
  ])('is told when a manifest with the right hash %s', async (_, text) => {
    const outcome = await loadAfter((chunks, names) => {
      const bytes = new TextEncoder().encode(text);
      chunks.set(names.at(-1)!, new Uint8Array([...createHash('sha256').update(bytes).digest(), ...bytes]));
    });
    expect(outcome).toMatchObject({ kind: 'damaged', what: expect.stringMatching(/manifest|memory/) });
  });

  it('is told when the manifest belongs to another record', async () => {
    const { store, cache } = setUp();
    await cache.save(KEY, { facts: 1, arrays: {} });
    store.chunks.set(store.written[0]!, await encodeManifest({ key: 'other', facts: 1, arrays: [] }));
    expect(await cache.load(KEY)).toMatchObject({ kind: 'damaged' });
  });

  it('is mended by saving anew', async () => {
    const { store, cache } = setUp();
    await cache.save(KEY, record);
    store.chunks.delete(store.written[1]!);
    await cache.save(KEY, record);
    await expectHit(cache, KEY, record);
  });
});

describe('storage that fails', () => {
  const full = new DOMException('the disk is full', 'QuotaExceededError');

  it.each(Array.from({ length: CHUNKS + 1 }, (_, k) => k))(
    'gives up when write %i finds the disk full, and leaves nothing',
    async (k) => {
      const { store, cache } = setUp();
      let writes = 0;
      store.fault = (operation) => {
        if (operation === 'set' && writes++ >= k) throw full;
      };
      expect(await cache.save(KEY, record)).toEqual({ kind: 'unavailable', cause: full });
      expect(store.chunks.size).toBe(0);
      expect(await cache.load(KEY)).toEqual({ kind: 'miss' });
    },
  );

  it('leaves nothing of an older record of the same key either', async () => {
    const { store, cache } = setUp();
    await cache.save(KEY, record);
    store.fault = (operation) => {
      if (operation === 'set') throw full;
    };
    expect(await cache.save(KEY, record)).toEqual({ kind: 'unavailable', cause: full });
    expect(store.chunks.size).toBe(0);
  });

  it('says so in a private window, where nothing works', async () => {
    const { store, cache } = setUp();
    const refusal = new DOMException('the operation is insecure', 'SecurityError');
    store.fault = () => {
      throw refusal;
    };
    const outcome = { kind: 'unavailable', cause: refusal };
    expect(await cache.save(KEY, record)).toEqual(outcome);
    expect(await cache.load(KEY)).toEqual(outcome);
    expect(await cache.remove(KEY)).toEqual(outcome);
    expect(await cache.clear()).toEqual(outcome);
  });

  it('says so when a chunk cannot be read', async () => {
    const { store, cache } = setUp();
    await cache.save(KEY, record);
    store.fault = (operation, key) => {
      if (operation === 'get' && key === store.written[1]) throw full;
    };
    expect(await cache.load(KEY)).toEqual({ kind: 'unavailable', cause: full });
  });

  it('says so where there is no WebCrypto', async () => {
    const { store, cache } = setUp();
    await cache.save(KEY, { facts: 1, arrays: {} });
    vi.stubGlobal('crypto', {});
    expect(await cache.load(KEY)).toMatchObject({ kind: 'unavailable' });
    expect(await cache.save(KEY, record)).toMatchObject({ kind: 'unavailable' });
    expect(store.chunks.size).toBe(0);
  });
});

describe('an aborted call', () => {
  it.each([0, 2, 4])('rejects after %i more reads', async (reads) => {
    const { store, cache } = setUp();
    await cache.save(KEY, record);
    const controller = new AbortController();
    let left = reads;
    store.fault = (operation) => {
      if (operation === 'get' && left-- === 0) controller.abort();
    };
    await expect(cache.load(KEY, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('rejects from saving and leaves nothing', async () => {
    const { store, cache } = setUp();
    const controller = new AbortController();
    store.fault = (operation) => {
      if (operation === 'set' && store.written.length === 2) controller.abort();
    };
    await expect(cache.save(KEY, record, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(store.chunks.size).toBe(0);
  });
});

describe('PreparedCache.list', () => {
  it('gives the keys with a prefix of complete records', async () => {
    const { store, cache } = setUp();
    const small = { facts: {}, arrays: { points: pattern(5, 1) } };
    for (const key of ['v1/a/1/x', 'v1/a/1/y', 'v1/a/12/x', 'v1/b/1/x']) await cache.save(key, small);
    store.chunks.delete('v1/a/1/y#manifest');
    expect(await cache.list('v1/a/1/')).toEqual({ kind: 'listed', keys: ['v1/a/1/x'] });
    expect(await cache.list('v1/c/')).toEqual({ kind: 'listed', keys: [] });
    const cause = new Error('the storage is gone');
    store.fault = () => {
      throw cause;
    };
    expect(await cache.list('v1/')).toEqual({ kind: 'unavailable', cause });
  });
});

describe('the memory of a file that is saved', () => {
  const bytes = pattern(CHUNK_BYTES + 5, 4);
  /** A source that knows the slices that it gave. */
  const sourceOf = (slices: Uint8Array[]): ByteSource => ({
    size: bytes.length,
    async read(offset, length) {
      const slice = bytes.slice(offset, offset + length) as Uint8Array<ArrayBuffer>;
      slices.push(slice);
      return slice;
    },
  });

  it('is freed slice by slice, and that of an array, which its owner needs, is not', async () => {
    const { cache } = setUp();
    const slices: Uint8Array[] = [];
    expect(await cache.saveFile(KEY, {}, sourceOf(slices))).toEqual({ kind: 'saved' });
    expect(slices.map(({ length }) => length)).toEqual([0, 0]);
    const found = await cache.findFile(KEY);
    const read = found.kind === 'hit' ? await found.file.read() : '';
    if (typeof read === 'string') throw new Error(`expected the file, got ${found.kind}`);
    expect(Buffer.compare(await read.source.read(0, read.source.size), bytes)).toBe(0);
    const own = bytes.slice();
    await cache.save(KEY, { facts: {}, arrays: { own } });
    expect(own.length).toBe(bytes.length);
  });

  it('is left alone when the storage fails, which may still be reading it', async () => {
    const { store, cache } = setUp();
    const slices: Uint8Array[] = [];
    vi.spyOn(store, 'set').mockRejectedValue(new Error('full'));
    expect(await cache.saveFile(KEY, {}, sourceOf(slices))).toMatchObject({ kind: 'unavailable' });
    for (const { length } of slices) expect(length).toBeGreaterThan(0);
  });
});
