import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ArrivingFile } from '../../sdk/files/arriving-file.js';
import type { FetchedFile } from '../../sdk/files/url-source.js';
import { fetchFile } from '../../sdk/files/url-source.js';
import { FileServer, type RangeAnswer, type ServedFile } from '../support/file-server.js';

const MB = 2 ** 20;
const SIZE = 4 * MB + 77;
const bytes = Uint8Array.from({ length: SIZE }, (_, i) => (i * 31 + (i >> 9)) & 255);
const etag = { etag: '"one"' };

/** A promise, and what fulfills it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

let server: FileServer;
let progress: [done: number, total: number | undefined][];
beforeEach(async () => {
  server = await FileServer.start();
  progress = [];
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await server.stop();
});

const onBytes = (done: number, total: number | undefined): void => void progress.push([done, total]);

function get(file: Omit<ServedFile, 'bytes'>, signal?: AbortSignal): Promise<FetchedFile> {
  server.files.set('/key', { bytes, ...file });
  return fetchFile(server.url('/key'), { onBytes, signal });
}

const read = async ({ source }: FetchedFile, from: number, to: number): Promise<void> =>
  expect(await source.read(from, to - from)).toEqual(bytes.slice(from, to));

const honestly = (honest: RangeAnswer): RangeAnswer => honest;

describe('a large file', () => {
  it('is read while it arrives, as far as it has', async () => {
    const half = gate();
    const file = await get({
      headers: etag,
      async send(upTo) {
        await upTo(MB);
        await half.opened;
        await upTo(SIZE);
      },
    });
    expect(file.source.size).toBe(SIZE);
    await read(file, 0, 100);
    await read(file, MB - 10, MB);
    let isThere = false;
    const later = read(file, MB - 5, MB + 5).then(() => {
      isThere = true;
    });
    await read(file, 5, 7);
    expect(isThere).toBe(false);
    half.open();
    await later;
    await read(file, SIZE - 3, SIZE);
    await read(file, 0, SIZE);
    expect((await (file.source as ArrivingFile).whole).size).toBe(SIZE);
    expect(progress[0]).toEqual([0, SIZE]);
    expect(progress.at(-1)).toEqual([SIZE, SIZE]);
    await expect(file.source.read(SIZE - 1, 2)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await (file.source as ArrivingFile).close();
    await read(file, 3, 9);
  });

  it('gives small parts far ahead at once where the server knows ranges', async () => {
    const rest = gate();
    const file = await get({
      headers: etag,
      ranges: honestly,
      async send(upTo) {
        await upTo(1000);
        await rest.opened;
        await upTo(SIZE);
      },
    });
    await read(file, SIZE - 12, SIZE);
    await read(file, 3 * MB, 3 * MB + 2 ** 16);
    expect(server.take().requests).toEqual(['GET /key', 'GET /key', 'GET /key']);
    // Only from here on `near` lies within what a wait is cheaper for.
    await read(file, 0, 1000);
    const [near, large] = [read(file, MB, MB + 12), read(file, 2 * MB, 2 * MB + 2 ** 16 + 1)];
    rest.open();
    await Promise.all([near, large]);
    expect(server.take().requests).toEqual([]);
  });

  it.each<[string, Partial<ServedFile>, number]>([
    ['no server of ranges', { headers: etag }, 2],
    ['a server that cannot tell versions apart', { ranges: honestly }, 1],
    [
      'another version',
      { headers: etag, ranges: (honest) => ({ ...honest, headers: { ...honest.headers, etag: '"two"' } }) },
      2,
    ],
    ['fewer bytes', { headers: etag, ranges: (honest) => ({ ...honest, body: honest.body.subarray(1) }) }, 2],
  ])('waits for such parts with %s, and asks once at most', async (_, served, requests) => {
    const rest = gate();
    const file = await get({
      ...served,
      async send(upTo) {
        await rest.opened;
        await upTo(SIZE);
      },
    });
    let asked = 0;
    const expectAsked = (): void => {
      asked += server.take().requests.length;
      expect(asked).toBe(requests);
    };
    const first = read(file, SIZE - 12, SIZE);
    // The server has counted a request before its answer is read, after which no other part is asked for.
    await expect.poll(() => file.source).toMatchObject({ givesParts: false });
    expectAsked();
    const second = read(file, 3 * MB, 3 * MB + 12);
    rest.open();
    await Promise.all([first, second]);
    expectAsked();
  });
});

describe('a download that breaks off', () => {
  const afterBytes = (end: number) => async (upTo: (end: number) => Promise<void>) => upTo(end);

  it('goes on where it was, again and again', async () => {
    const ends: number[] = [];
    const file = await get({
      headers: etag,
      send: afterBytes(MB),
      ranges: (honest) => {
        ends.push(SIZE - honest.body.length);
        return ends.length < 3
          ? {
              ...honest,
              body: honest.body.subarray(0, MB),
              headers: { ...honest.headers, 'content-length': String(honest.body.length) },
              breaksOff: true,
            }
          : honest;
      },
    });
    await read(file, 0, SIZE);
    expect(ends.length).toBe(3);
    expect(ends[0]).toBeGreaterThan(0);
    const done = progress.map(([bytes]) => bytes);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(new Set(progress.map(([, total]) => total))).toEqual(new Set([SIZE]));
  });

  it.each<[string, Partial<ServedFile>]>([
    ['cannot tell versions apart', { ranges: honestly }],
    ['does not know ranges', { headers: etag }],
    [
      'has another file',
      { headers: etag, ranges: (honest) => ({ ...honest, headers: { ...honest.headers, etag: '"two"' } }) },
    ],
    [
      'answers with another part',
      {
        headers: etag,
        ranges: (honest) => ({ ...honest, headers: { ...honest.headers, 'content-range': `bytes 0-9/${SIZE}` } }),
      },
    ],
    [
      'has a file of another size',
      {
        headers: { 'last-modified': 'Mon, 05 Jan 2026 00:00:00 GMT' },
        ranges: (honest) => ({
          ...honest,
          headers: {
            ...honest.headers,
            'content-range': honest.headers['content-range']!.replace(/\d+$/, String(SIZE + 1)),
          },
        }),
      },
    ],
  ])('fails where the server %s, for all who wait', async (_, served) => {
    const file = await get({ ...served, send: afterBytes(MB) });
    const wanted = { code: 'IO_FAILED', message: expect.stringContaining('/key') };
    const reads = [file.source.read(0, SIZE), file.source.read(SIZE - 2 ** 17, 2 ** 17)].map((each) =>
      expect(each).rejects.toMatchObject(wanted),
    );
    await Promise.all(reads);
    await expect(file.whole).rejects.toMatchObject(wanted);
    await expect(file.source.read(SIZE - 1, 1)).rejects.toMatchObject(wanted);
    // What has arrived can still be read.
    await read(file, 0, 10);
  });

  it('is given up after six attempts without a byte, and goes on if there is one before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let asked = 0;
    const answers = new Map<number, () => Response>();
    const version = { url: 'http://x/key', ...etag, length: 5 };
    // Downloads of earlier tests may still try to go on.
    vi.stubGlobal('fetch', async (url: string) => {
      const answer = url === version.url ? answers.get(++asked) : undefined;
      if (answer === undefined) throw new TypeError('no network');
      return answer();
    });
    const part = (from: number, body: string): Response => {
      const headers = { ...etag, 'content-range': `bytes ${from}-4/5`, 'content-length': String(5 - from) };
      const response = new Response(body, { status: 206, headers });
      Object.defineProperty(response, 'url', { value: version.url });
      return response;
    };
    answers.set(5, () => part(2, 'c'));
    const file = new ArrivingFile({ response: new Response('ab'), size: 5, version }, { onBytes });
    let hasFailed = false;
    const failing = expect(file.read(0, 5))
      .rejects.toMatchObject({ code: 'IO_FAILED' })
      .finally(() => {
        hasFailed = true;
      });
    // An answer is read in real time: a pause may begin only after the clock was moved.
    while (!hasFailed) await vi.advanceTimersByTimeAsync(8000);
    await failing;
    expect(asked).toBe(5 + 6);
    expect(new TextDecoder().decode(await file.read(0, 3))).toBe('abc');
  });
});

describe('a download that is not wanted', () => {
  it('ends when its file is closed, and reads with it', async () => {
    const end = gate();
    const file = await get({
      headers: etag,
      ranges: honestly,
      async send(upTo) {
        await upTo(MB);
        await end.opened;
      },
    });
    const reading = expect(file.source.read(0, SIZE)).rejects.toMatchObject({ code: 'DISPOSED' });
    await (file.source as ArrivingFile).close();
    await reading;
    end.open();
    await expect(file.whole).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(server.take().requests).toEqual(['GET /key']);
  });

  it('ends when its signal fires, in a pause, too', async () => {
    for (const afterwards of [0, 100]) {
      const abort = new AbortController();
      let attempts = 0;
      const file = await get(
        {
          headers: { ...etag, connection: 'close' },
          send: async (upTo) => upTo(MB),
          ranges: (honest) => {
            if (++attempts === 2) setTimeout(() => abort.abort(), afterwards);
            return { ...honest, body: new Uint8Array(), breaksOff: true };
          },
        },
        abort.signal,
      );
      await expect(file.source.read(0, SIZE)).rejects.toMatchObject({ code: 'ABORTED' });
      await expect(file.whole).rejects.toMatchObject({ code: 'ABORTED' });
    }
  });

  it('ends when it has more bytes than the caller takes', async () => {
    const tooMany = new Error('too many');
    server.files.set('/key', { bytes, headers: etag });
    const options = {
      onBytes: (_: number, total: number | undefined) => {
        if (total === SIZE) throw tooMany;
      },
    };
    await expect(fetchFile(server.url('/key'), options)).rejects.toMatchObject({ cause: tooMany });
  });

  it('is refused when more bytes come than were announced', async () => {
    const version = { url: 'http://x/key', ...etag };
    const file = new ArrivingFile({ response: new Response('abcdef'), size: 5, version }, { onBytes });
    await expect(file.read(0, 5)).rejects.toMatchObject({ code: 'IO_FAILED', message: expect.stringContaining('5') });
  });
});

it('small files, and ones of unknown size, are there as a whole', async () => {
  server.files.set('/small', { bytes: bytes.subarray(0, MB - 1), headers: etag });
  server.files.set('/chunked', { bytes, headers: { 'transfer-encoding': 'chunked' } });
  for (const path of ['/small', '/chunked']) {
    const { source } = await fetchFile(server.url(path), { onBytes });
    expect(source).not.toBeInstanceOf(ArrivingFile);
    expect(await source.read(0, source.size)).toEqual(bytes.slice(0, source.size));
  }
});
