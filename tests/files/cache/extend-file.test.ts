import { describe, expect, it } from 'vitest';
import { extendFile } from '../../../sdk/files/cache/extend-file.js';
import { CHUNK_BYTES } from '../../../sdk/files/cache/manifest.js';
import { PreparedCache } from '../../../sdk/files/cache/prepared-cache.js';
import { FaultyStore } from '../../support/faulty-store.js';

const KEY = 'file/begun/0123abcd';

/** A chunk of pseudo-random bytes. */
function pattern(seed: number): Uint8Array {
  return new Uint8Array(
    Uint32Array.from({ length: CHUNK_BYTES / 4 }, (_, i) => Math.imul(i + seed, 2654435761)).buffer,
  );
}

function setUp(): { store: FaultyStore; cache: PreparedCache } {
  const store = new FaultyStore();
  return { store, cache: new PreparedCache(store) };
}

describe('a file that is still arriving', () => {
  const facts = { url: 'x', etag: undefined, length: 3 * CHUNK_BYTES };
  const chunks = [1, 2, 3].map(pattern);

  /** The bytes of the record; the word for what it is instead. */
  async function begun(cache: PreparedCache): Promise<Uint8Array | string> {
    const found = await cache.findFile(KEY);
    if (found.kind !== 'hit') return found.kind;
    expect(found.file.facts).toEqual({ url: 'x', length: 3 * CHUNK_BYTES });
    const read = await found.file.read();
    return typeof read === 'string' ? read : read.source.read(0, found.file.size);
  }

  it('is a record of its first bytes after each chunk', async () => {
    const { cache } = setUp();
    expect(await begun(cache)).toBe('miss');
    for (const [i, chunk] of chunks.entries()) {
      expect(await extendFile(cache, { key: KEY, facts }, i * CHUNK_BYTES, chunk)).toBe(true);
      expect(Buffer.compare((await begun(cache)) as Uint8Array, Buffer.concat(chunks.slice(0, i + 1)))).toBe(0);
    }
    await cache.remove(KEY);
    expect(await begun(cache)).toBe('miss');
  });

  it('is begun anew at 0, and otherwise not extended by those who began it elsewhere or of another version', async () => {
    const { cache } = setUp();
    const extend = (offset: number, chunk: Uint8Array, of: unknown = facts): Promise<boolean> =>
      extendFile(cache, { key: KEY, facts: of }, offset, chunk);
    expect(await extend(CHUNK_BYTES, chunks[1]!)).toBe(false);
    await extend(0, chunks[0]!);
    await extend(CHUNK_BYTES, chunks[1]!);
    expect(await extend(CHUNK_BYTES, chunks[1]!)).toBe(false);
    expect(await extend(3 * CHUNK_BYTES, chunks[2]!)).toBe(false);
    expect(await extend(2 * CHUNK_BYTES, chunks[2]!, { ...facts, url: 'y' })).toBe(false);
    expect(await extend(0, chunks[2]!)).toBe(true);
    expect(Buffer.compare((await begun(cache)) as Uint8Array, chunks[2]!)).toBe(0);
  });

  it('keeps the storage budget, and survives a storage that fails at any write', async () => {
    const { store } = setUp();
    const bounded = new PreparedCache(store, 2 * CHUNK_BYTES);
    const extend = (i: number): Promise<boolean> =>
      extendFile(bounded, { key: KEY, facts }, i * CHUNK_BYTES, chunks[i]!);
    await extend(0);
    store.fault = (operation) => {
      if (operation === 'set') throw new Error('full');
    };
    await expect(extend(1)).rejects.toThrow('full');
    store.fault = () => undefined;
    expect(Buffer.compare((await begun(bounded)) as Uint8Array, chunks[0]!)).toBe(0);
    expect(await extend(1)).toBe(true);
    expect(await extend(2)).toBe(false);
    expect(Buffer.compare((await begun(bounded)) as Uint8Array, Buffer.concat(chunks.slice(0, 2)))).toBe(0);
  });
});
