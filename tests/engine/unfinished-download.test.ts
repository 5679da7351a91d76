import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeyLoadOptions, Prover } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { extendFile } from '../../sdk/files/cache/extend-file.js';
import { folderStore } from '../../sdk/files/cache/folder-store.js';
import { CHUNK_BYTES } from '../../sdk/files/cache/manifest.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import { begunBytes } from '../support/begun-bytes.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../support/circuits.js';
import { FileServer, type RangeAnswer, type ServedFile } from '../support/file-server.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { sectionFile, sectionsOf } from '../support/section-bytes.js';

const STRONG = { etag: '"one"' };
/** Of the file that is broken off, two whole chunks have arrived. */
const BEGUN = 2 * CHUNK_BYTES;
const HALF_A_CHUNK = CHUNK_BYTES / 2;

let circuit: TestCircuit;
/** A key of somewhat more than three chunks. Its history, which no prover reads, stands first. */
let zkey: Uint8Array;
let sha256: string;
let server: FileServer;
/** The cache after a visit that was left during its download. */
let leftFolder: string;
let folder: string;
let prover: Prover | undefined;
let notices: Notice[];
beforeAll(async () => {
  circuit = await testCircuit('flags');
  const history = new Uint8Array(3 * CHUNK_BYTES).map((_, i) => (i * 31 + (i >> 9)) & 255);
  zkey = sectionFile('zkey', 1, [[10, history], ...sectionsOf(circuit.zkey).filter(([id]) => id !== 10)]);
  sha256 = createHash('sha256').update(zkey).digest('hex');
  server = await FileServer.start();
  leftFolder = await mkdtemp(join(tmpdir(), 'pippin-left-'));
  folder = leftFolder;
  notices = [];
  await leaveDuringDownload();
}, MAKING_TIMEOUT);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-unfinished-'));
  await cp(leftFolder, folder, { recursive: true });
  server.take();
  notices = [];
});
afterEach(async () => {
  await prover?.dispose();
  prover = undefined;
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await server.stop();
  await rm(leftFolder, { recursive: true });
});

async function visit(): Promise<Prover> {
  await prover?.dispose();
  prover = await inPlaceProver({
    backend: 'wasm',
    threads: 1,
    cache: { directory: folder },
    onNotice: (notice) => void notices.push(notice),
  });
  return prover;
}

function serve(file: Partial<ServedFile> = {}, bytes = zkey): string {
  server.files.set('/key', { bytes, headers: STRONG, ranges: (honest) => honest, ...file });
  return server.url('/key');
}

/** Loads the key at a new visit, and aborts when two chunks and a half have arrived and two are kept. */
async function leaveDuringDownload(): Promise<void> {
  const leaving = new AbortController();
  const url = serve({ send: (upTo) => upTo(BEGUN + HALF_A_CHUNK).then(() => new Promise(() => undefined)) });
  const { groth16 } = await visit();
  const loading = groth16.loadKey(url, { signal: leaving.signal });
  loading.catch(() => undefined);
  await vi.waitFor(async () => expect(await begunBytes(folderStore(folder))).toBe(BEGUN), {
    timeout: 60_000,
    interval: 50,
  });
  leaving.abort();
  await expect(loading).rejects.toMatchObject({ code: 'ABORTED' });
  await prover?.dispose();
  prover = undefined;
}

/** Loads the key at a new visit, and proves. Gives the bytes that were reported as there, and those that were sent. */
async function load(url: string, options: KeyLoadOptions = {}): Promise<{ dones: number[]; bytes: number }> {
  const dones: number[] = [];
  const { groth16 } = await visit();
  const key = await groth16.loadKey(url, {
    ...options,
    onProgress(event) {
      if (event.kind === 'bytes') dones.push(event.done);
    },
  });
  const { bytes } = server.take();
  const { proof, publicSignals } = await groth16.fullProve(key, circuit.inputs, circuit.wasm);
  expect(await groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  expect(dones).toEqual([...dones].sort((a, b) => a - b));
  expect(dones.at(-1)).toBe(zkey.length);
  return { dones, bytes };
}

/** Nothing of the unfinished download is kept after the visit. */
async function expectForgotten(): Promise<void> {
  await prover?.dispose();
  prover = undefined;
  expect(await begunBytes(folderStore(folder))).toBeUndefined();
}

/** Neither is the next visit in need of it, because the whole file is kept. */
async function expectKept(url: string, options: KeyLoadOptions = {}): Promise<void> {
  await expectForgotten();
  server.take();
  const key = await (await visit()).groth16.loadKey(url, options);
  expect(key.report.cached).toBe(true);
  expect(server.take().bytes).toBe(0);
}

/** Changes a byte of every chunk that is kept. */
async function damageChunks(): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of files.filter((each) => each.isFile())) {
    const path = join(parentPath, name);
    const bytes = await readFile(path);
    if (bytes.length < CHUNK_BYTES) continue;
    bytes[bytes.length - 5]! ^= 1;
    await writeFile(path, bytes);
  }
}

describe('a download that an earlier visit began', () => {
  it.each([
    ['by its server', () => ({})],
    ['by its SHA-256', () => ({ sha256 })],
  ])('goes on behind what is kept, as the same file %s', async (_, pin) => {
    const url = serve();
    const { dones, bytes } = await load(url, pin());
    expect(dones[0]).toBe(BEGUN);
    // Small parts far ahead are asked for besides.
    expect(bytes).toBeLessThan(zkey.length - BEGUN + HALF_A_CHUNK);
    expect(notices).toEqual([]);
    await expectKept(url, pin());
  });

  it('goes on where it breaks off again', async () => {
    let breaks = 0;
    const breakOff = (honest: RangeAnswer): RangeAnswer => {
      if (honest.body.length < CHUNK_BYTES || breaks++ > 0) return honest;
      const headers = { ...honest.headers, 'content-length': String(honest.body.length) };
      return { ...honest, headers, body: honest.body.subarray(0, HALF_A_CHUNK), breaksOff: true };
    };
    const { dones } = await load(serve({ ranges: breakOff }));
    expect(breaks).toBeGreaterThan(0);
    expect(dones[0]).toBe(BEGUN);
  });

  it.each<[string, Partial<ServedFile>]>([
    ['its server has another version', { headers: { etag: '"two"' } }],
    ['its server knows no ranges', { ranges: undefined as never }],
    [
      'its server sends another part',
      { ranges: (honest) => ({ ...honest, headers: { ...honest.headers, 'content-range': 'bytes 0-9/10' } }) },
    ],
  ])('begins anew when %s', async (_, file) => {
    const url = serve(file);
    const { dones, bytes } = await load(url);
    expect(dones[0]).toBe(0);
    expect(bytes).toBeGreaterThanOrEqual(zkey.length);
    await expectKept(url);
  });

  it('waits for a visit at which its server can be reached', async () => {
    const url = serve();
    const { groth16 } = await visit();
    const begin = vi.fn<(range: string | null) => void>();
    vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
      begin(new Headers(init?.headers).get('range'));
      throw new TypeError('offline');
    });
    await expect(groth16.loadKey(url)).rejects.toMatchObject({ code: 'IO_FAILED' }).finally(vi.unstubAllGlobals);
    expect(begin.mock.calls).toEqual([[`bytes=${BEGUN}-${zkey.length - 1}`], [null]]);
    serve({ ranges: (honest) => ({ ...honest, status: 503 }), redirect: '/none' });
    await expect(groth16.loadKey(url)).rejects.toMatchObject({ code: 'IO_FAILED' });
    expect((await load(serve())).dones[0]).toBe(BEGUN);
  });

  it('begins anew when what is kept is damaged, which is told', async () => {
    await damageChunks();
    const url = serve();
    const { dones } = await load(url);
    expect(dones[0]).toBe(0);
    expect(notices).toMatchObject([{ code: 'CACHE_DAMAGED' }]);
    await expectKept(url);
  });

  it('begins anew when what is kept is of another file, as its SHA-256 says in the end, which is told', async () => {
    const cache = new PreparedCache(folderStore(folder));
    const listed = await cache.list('file/begun/');
    const [key = ''] = listed.kind === 'listed' ? listed.keys : [];
    const found = await cache.findFile(key);
    if (found.kind !== 'hit') throw new Error('expected an unfinished download');
    const { facts } = found.file;
    expect(await extendFile(cache, { key, facts }, 0, new Uint8Array(CHUNK_BYTES))).toBe(true);
    const url = serve();
    const opened = await (await visit()).groth16.loadKey(url, { sha256 });
    expect(opened.report.cached).toBe(false);
    expect(notices).toMatchObject([{ code: 'CACHE_DAMAGED' }]);
    await expectKept(url, { sha256 });
  });

  it('is forgotten when the file is not what it must be', async () => {
    const url = serve();
    await expect((await visit()).groth16.loadKey(url, { sha256: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'KEY_MISMATCH',
    });
    await expectForgotten();
  });

  it('counts for maxBytes', async () => {
    const { groth16 } = await visit();
    await expect(groth16.loadKey(serve(), { maxBytes: zkey.length - 1 })).rejects.toMatchObject({
      code: 'DOWNLOAD_TOO_LARGE',
    });
  });
});
