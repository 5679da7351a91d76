import {
  mkdtempSync,
  openAsBlob,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { joinBytes } from '../../sdk/base/bytes.js';
import {
  type ByteSource,
  blobSource,
  type ClosableSource,
  joinSources,
  memorySource,
  partOf,
  SLICE_BYTES,
  slicesOf,
} from '../../sdk/files/byte-source.js';
import { openNodeFile } from '../../sdk/files/node-file.js';
import type { FetchOptions } from '../../sdk/files/url-request.js';
import { fetchFile } from '../../sdk/files/url-source.js';
import { failureOf } from '../support/section-bytes.js';

const urlSource = async (url: string, options: Partial<FetchOptions> = {}): Promise<ByteSource> =>
  (await fetchFile(url, { onBytes: () => undefined, ...options })).source;

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-source-'));
  writeFileSync(join(folder, 'file'), bytes);
  server = createServer((request, response) => {
    if (request.url === '/missing') response.writeHead(404).end();
    else if (request.url === '/secret') response.writeHead(403).end();
    else if (request.url === '/failing') response.writeHead(503).end();
    else if (request.url === '/broken') {
      response.writeHead(200, { 'Content-Length': 1000 });
      response.write(bytes.subarray(0, 100));
      setTimeout(() => response.destroy(), 20);
    } else if (request.url === '/silent') response.writeHead(200, { 'Content-Length': 1000 }).write('a');
    else response.writeHead(200).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  server.close();
});

let files: ClosableSource[] = [];
afterEach(async () => {
  await Promise.all(files.map((file) => file.close()));
  files = [];
});

async function openFile(path: string): Promise<ClosableSource> {
  const file = await openNodeFile(path);
  files.push(file);
  return file;
}

const open: Readonly<Record<string, () => ByteSource | Promise<ByteSource>>> = {
  memory: () => memorySource(bytes),
  'an offset view of memory': () => memorySource(joinBytes([new Uint8Array(7), bytes]).subarray(7)),
  blob: () => blobSource(new Blob([bytes])),
  url: () => urlSource(url),
  file: () => openFile(join(folder, 'file')),
  'joined parts': () =>
    joinSources([0, 0, 1, 124, 500, 1000].map((end, i, ends) => memorySource(bytes.subarray(ends[i - 1] ?? 0, end)))),
  'a part': () => partOf(memorySource(joinBytes([new Uint8Array(5), bytes, new Uint8Array(5)])), 5, bytes.length),
};

describe.each(Object.keys(open))('byte source: %s', (name) => {
  it('reads any range exactly', async () => {
    const source = await open[name]!();
    expect(source.size).toBe(1000);
    for (const [offset, length] of [
      [0, 0],
      [0, 1],
      [0, 1000],
      [999, 1],
      [1000, 0],
      [123, 456],
    ] as const) {
      expect(await source.read(offset, length)).toEqual(bytes.slice(offset, offset + length));
    }
  });

  it('gives the reader buffers of its own', async () => {
    const source = await open[name]!();
    const whole = await source.read(0, 1000);
    expect(whole.buffer.byteLength).toBe(1000);
    expect((await source.read(3, 5)).buffer.byteLength).toBe(5);
    structuredClone(whole, { transfer: [whole.buffer] });
    expect(await source.read(0, 1000)).toEqual(bytes);
  });

  it('refuses ranges beyond its end', async () => {
    const source = await open[name]!();
    for (const [offset, length] of [
      [0, 1001],
      [1000, 1],
      [2000, 0],
      [-1, 1],
      [0, -1],
      [1, 2 ** 53],
    ] as const) {
      const { code, message } = await failureOf(() => source.read(offset, length));
      expect(code).toBe('MALFORMED_FILE');
      expect(message).toContain('1000 bytes in all');
    }
  });
});

describe('slices', () => {
  it.each([0, 1, SLICE_BYTES, SLICE_BYTES + 1])('covers %i bytes once and in order', async (size) => {
    const reads: [number, number][] = [];
    const source: ByteSource = {
      size,
      async read(offset, length) {
        reads.push([offset, length]);
        return new Uint8Array(length);
      },
    };
    let total = 0;
    for await (const slice of slicesOf(source)) total += slice.length;
    expect(total).toBe(size);
    expect(reads).toEqual(
      [
        [0, SLICE_BYTES],
        [SLICE_BYTES, SLICE_BYTES],
      ]
        .slice(0, Math.ceil(size / SLICE_BYTES))
        .map(([at]) => [at, Math.min(SLICE_BYTES, size - at!)]),
    );
  });
});

describe('what cannot be read', () => {
  it.each([
    ['missing', 404, 'Not Found', 'path'],
    ['secret', 403, 'Forbidden', 'credentials'],
    ['failing', 503, 'Service Unavailable', 'later'],
  ])('tells the address and the status of a URL: %s, %i', async (name, status, text, hint) => {
    const failure = await failureOf(() => urlSource(`${url}/${name}`));
    expect(failure).toMatchObject({ code: 'IO_FAILED', hint: expect.stringContaining(hint) });
    expect(failure.message).toBe(`expected a file at ${url}/${name}, got status ${status} (${text})`);
  });

  it('tells of a server that is not there, and of an answer that breaks off', async () => {
    const absent = await failureOf(() => urlSource('http://127.0.0.1:1/'));
    expect(absent).toMatchObject({ code: 'IO_FAILED', hint: expect.stringContaining('CORS') });
    expect(absent.message).toMatch(/http:\/\/127\.0\.0\.1:1\/, got: .*\(.+\)/);
    const broken = await failureOf(() => urlSource(`${url}/broken`));
    expect(broken).toMatchObject({ code: 'IO_FAILED', hint: 'the answer began and broke off: try again' });
    expect((await failureOf(() => urlSource('no url at all'))).code).toBe('IO_FAILED');
  });

  it('stops downloading when it is aborted', async () => {
    expect((await failureOf(() => urlSource(url, { signal: AbortSignal.abort() }))).code).toBe('ABORTED');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect((await failureOf(() => urlSource(`${url}/silent`, { signal: controller.signal }))).code).toBe('ABORTED');
  });

  it('tells the path of a file', async () => {
    const { code, message } = await failureOf(() => openFile(join(folder, 'none')));
    expect(code).toBe('IO_FAILED');
    expect(message).toContain(join(folder, 'none'));
    const directory = await openFile(folder);
    expect((await failureOf(() => directory.read(0, 1))).code).toBe('IO_FAILED');
  });

  it('notices a file that shrinks while it is used', async () => {
    const path = join(folder, 'shrinking');
    writeFileSync(path, bytes);
    const source = await openFile(path);
    truncateSync(path, 10);
    expect((await failureOf(() => source.read(0, 1000))).code).toBe('IO_FAILED');
  });

  it('notices a file that is written to right after it was made and opened, and keeps its size', async () => {
    const path = join(folder, 'new');
    for (let i = 0; i < 10; i++) {
      writeFileSync(path, bytes);
      const source = await openFile(path);
      writeFileSync(path, bytes.toReversed());
      expect((await failureOf(() => source.read(0, 10))).message).toContain('changed');
    }
  });

  it('reads on in the file that it has opened when another one gets its name', async () => {
    const [path, link] = [join(folder, 'replaced'), join(folder, 'link')];
    writeFileSync(path, bytes);
    symlinkSync(path, link);
    const sources = await Promise.all([path, link].map(openFile));
    writeFileSync(join(folder, 'next'), bytes.toReversed());
    renameSync(join(folder, 'next'), path);
    for (const source of sources) expect(await source.read(0, 1000)).toEqual(bytes);
    rmSync(path);
    rmSync(link);
    for (const source of sources) expect(await source.read(7, 2)).toEqual(bytes.slice(7, 9));
  });

  it('closes a file when the reads that have begun are done', async () => {
    const source = await openFile(join(folder, 'file'));
    const reads = [0, 500].map((offset) => source.read(offset, 500));
    await source.close();
    expect(joinBytes(await Promise.all(reads))).toEqual(bytes);
    expect((await failureOf(() => source.read(0, 1))).code).toBe('IO_FAILED');
  });

  it('notices a file that is written to while it is used', async () => {
    const path = join(folder, 'changing');
    writeFileSync(path, bytes);
    const source = await openFile(path);
    expect(await source.read(0, 10)).toEqual(bytes.slice(0, 10));
    writeFileSync(path, bytes.toReversed());
    utimesSync(path, new Date(0), new Date(0));
    const { code, message } = await failureOf(() => source.read(0, 10));
    expect(code).toBe('IO_FAILED');
    expect(message).toContain('changed');
  });

  it('notices that the file of a Blob was written to', async () => {
    const path = join(folder, 'blob');
    writeFileSync(path, bytes);
    const source = blobSource(await openAsBlob(path));
    expect(await source.read(0, 10)).toEqual(bytes.slice(0, 10));
    writeFileSync(path, bytes.toReversed());
    utimesSync(path, new Date(0), new Date(0));
    expect((await failureOf(() => source.read(0, 10))).code).toBe('IO_FAILED');
  });

  it('tells when a Blob cannot be read', async () => {
    const blob = { size: 10, slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) };
    const { code, message } = await failureOf(() => blobSource(blob as unknown as Blob).read(0, 10));
    expect(code).toBe('IO_FAILED');
    expect(message).toContain('gone');
  });
});
