import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { BasesCache } from '../../sdk/engine/bases-cache.js';
import { WriteAhead } from '../../sdk/engine/sources/download-cache.js';
import { ArrivingFile } from '../../sdk/files/arriving-file.js';
import { CHUNK_BYTES } from '../../sdk/files/cache/manifest.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import { FaultyStore } from '../support/faulty-store.js';

const KEY = 'file/url/0123';
const BYTES = new Uint8Array(2 * CHUNK_BYTES + 5).map((_, i) => i * 7);

let store: FaultyStore;
let notices: string[];
/** Sends the bytes up to here. */
let send: (end: number) => void;
let file: ArrivingFile;
beforeEach(() => {
  store = new FaultyStore();
  notices = [];
  ({ file, send } = arriving());
});

function arriving(): { readonly file: ArrivingFile; readonly send: (end: number) => void } {
  let sending!: ReadableStreamDefaultController<Uint8Array>;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sending = controller;
    },
  });
  const version = { url: 'https://example.org/key', etag: undefined, lastModified: undefined, date: undefined };
  const arrival = { response: new Response(body), size: BYTES.length, version };
  return {
    file: Object.assign(new ArrivingFile(arrival as never, { onBytes: () => undefined }), { name: 'key.zkey' }),
    send(end) {
      sending.enqueue(BYTES.slice(sent, end));
      sent = end;
      if (end === BYTES.length) sending.close();
    },
  };
}

function open(storageBudget?: number): Promise<BasesCache> {
  const platform = { cacheKind: 'folder', openStore: async () => store } as never;
  return BasesCache.open(platform, { cache: true, storageBudget }, (code) => notices.push(code));
}

const begin = (cache: BasesCache, from = file): WriteAhead => new WriteAhead(cache, { key: KEY, facts: 1 }, from);
const otherwise = (): never => {
  throw new Error('expected the file to be kept, got one that is not');
};

/** Whether a file is not kept in the end. */
async function isRefused(ahead: WriteAhead): Promise<boolean> {
  let isAsked = false;
  await ahead.keep(() => {
    isAsked = true;
  });
  return isAsked;
}

/** The bytes of the record, or the word for what it is instead. */
async function kept(): Promise<Uint8Array | string> {
  const found = await new PreparedCache(store).findFile(KEY);
  if (found.kind !== 'hit') return found.kind;
  const read = await found.file.read();
  return typeof read === 'string' ? read : read.source.read(0, found.file.size);
}

describe('a file that is written while it arrives', () => {
  it('is written chunk by chunk, and a record when it is wanted', async () => {
    const ahead = begin(await open());
    send(CHUNK_BYTES + 1);
    await expect.poll(() => store.written).toEqual([`${KEY}#0.0`]);
    send(BYTES.length);
    const digests = [0, 1, 2].map((i) => sha256(BYTES.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES)));
    expect(await ahead.hash).toBe(sha256(Buffer.concat(digests)).toString('hex'));
    await expect.poll(() => store.written.length).toBe(3);
    expect(await kept()).toBe('miss');
    await ahead.keep(otherwise);
    expect(Buffer.compare((await kept()) as Uint8Array, BYTES)).toBe(0);
    expect(new TextDecoder().decode(store.chunks.get(`${KEY}#manifest`))).toContain('"name":"key.zkey"');
  });

  it('is kept when it is closed after that, before its last chunk is written', async () => {
    const cache = await open();
    const ahead = begin(cache);
    send(BYTES.length);
    await file.whole;
    const keeping = ahead.keep(otherwise);
    await file.close();
    await keeping;
    await cache.settled();
    expect(Buffer.compare((await kept()) as Uint8Array, BYTES)).toBe(0);
  });

  it.each<[what: string, end: (cache: BasesCache) => Promise<void>]>([
    ['is closed', () => file.close()],
    [
      'is closed when all of it is there',
      async () => {
        send(BYTES.length);
        await file.whole;
        await file.close();
      },
    ],
    ['is in a cache that is cleared', (cache) => cache.clear()],
  ])('leaves nothing when it %s', async (_, end) => {
    const cache = await open();
    const ahead = begin(cache);
    send(CHUNK_BYTES + 1);
    await expect.poll(() => store.written.length).toBe(1);
    await end(cache);
    await cache.settled();
    expect([...store.chunks.keys()]).toEqual([]);
    expect(await isRefused(ahead)).toBe(true);
    expect(notices).toEqual([]);
  });

  it('leaves nothing, and tells no hash, when the storage is full or the download breaks off', async () => {
    const cache = await open();
    store.fault = (operation, key) => {
      if (operation === 'set' && key === `${KEY}#0.1`) throw new Error('full');
    };
    const ahead = begin(cache);
    send(BYTES.length);
    expect(await ahead.hash).toBeUndefined();
    expect(await isRefused(ahead)).toBe(true);
    expect([...store.chunks.keys()]).toEqual([]);
    store.fault = () => undefined;
    const other = arriving();
    const broken = begin(cache, other.file);
    other.send(CHUNK_BYTES + 1);
    await other.file.close();
    expect(await broken.hash).toBeUndefined();
    expect(await isRefused(broken)).toBe(true);
  });

  it('is not written twice at the same time, nor with a storage budget', async () => {
    const cache = await open();
    const first = begin(cache);
    const second = arriving();
    const refused = begin(cache, second.file);
    expect([await refused.hash, await isRefused(refused)]).toEqual([undefined, true]);
    await second.file.close();
    send(BYTES.length);
    await first.keep(otherwise);
    expect(Buffer.compare((await kept()) as Uint8Array, BYTES)).toBe(0);
    store.written.length = 0;
    expect(await isRefused(begin(await open(2 ** 30), arriving().file))).toBe(true);
    expect(store.written).toEqual([]);
  });
});

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
