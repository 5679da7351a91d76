import { describe, expect, it } from 'vitest';
import { type ByteSource, memorySource, SLICE_BYTES, slicesOf } from '../../../sdk/files/byte-source.js';
import { LoadedSource } from '../../../sdk/files/cache/loaded-source.js';
import { hashSource } from '../../../sdk/files/cache/source-hash.js';

const bytes = new Uint8Array(SLICE_BYTES + 5).fill(3);

/** A source whose reads wait until `open` is called, and what was done with it. */
class GatedSource implements ByteSource {
  readonly size = bytes.length;
  readonly done: string[] = [];
  open: () => void = () => undefined;
  fails = false;
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });

  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.opened;
    if (this.fails) throw new Error('unplugged');
    this.done.push(`read ${offset}`);
    return bytes.slice(offset, offset + length);
  }

  readonly letGo = async (): Promise<void> => {
    this.done.push('let go');
  };
}

const WHOLE = ['read 0', `read ${SLICE_BYTES}`];

describe('LoadedSource', () => {
  it('is hashed once, for all who ask', async () => {
    const source = new GatedSource();
    const loaded = new LoadedSource(source, source.letGo);
    const hashes = [loaded.hash(), loaded.hash(new AbortController().signal)];
    expect(loaded.knownHash).toBeUndefined();
    source.open();
    const expected = await hashSource(slicesOf(memorySource(bytes)));
    expect(await Promise.all([...hashes, loaded.hash()])).toEqual([expected, expected, expected]);
    expect(loaded.knownHash).toBe(expected);
    expect(source.done).toEqual(WHOLE);
  });

  it('can be hashed after a failure and after an abort', async () => {
    const source = new GatedSource();
    const loaded = new LoadedSource(source);
    const controller = new AbortController();
    const aborted = loaded.hash(controller.signal);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    source.open();
    source.fails = true;
    await expect(loaded.hash()).rejects.toThrow('unplugged');
    source.fails = false;
    expect(await loaded.hash()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('lets go once, when the hash that is under way is done', async () => {
    const source = new GatedSource();
    const loaded = new LoadedSource(source, source.letGo);
    const hash = loaded.hash();
    const closed = [loaded.close(), loaded.close()];
    source.open();
    await Promise.all(closed);
    expect(source.done).toEqual([...WHOLE, 'let go']);
    expect(loaded.knownHash).toBe(await hash);
    expect(await loaded.hash()).toBe(loaded.knownHash);
  });

  it('is neither read nor hashed once it was closed', async () => {
    const loaded = new LoadedSource(memorySource(bytes));
    expect(await loaded.read(1, 2)).toEqual(Uint8Array.of(3, 3));
    await loaded.close();
    await expect(loaded.read(1, 2)).rejects.toMatchObject({ code: 'DISPOSED' });
    await expect(loaded.hash()).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});
