import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Groth16Key, KeyLoadOptions, Prover, ProverOptions } from '../../sdk/api/index.js';
import type { Notice, ProgressEvent } from '../../sdk/api/progress.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { folderRecords, nameOfRecord } from '../../sdk/files/cache/folder-records.js';
import { folderStore } from '../../sdk/files/cache/folder-store.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import { FORMAT_VERSION } from '../../sdk/files/cache/record-key.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FileServer, type ServedFile } from '../support/file-server.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { zkeyChunks } from '../support/section-bytes.js';

const OLD = 'Fri, 05 Jan 2024 10:00:00 GMT';
const STRONG = { etag: '"one"' };
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let circuit: TestCircuit;
let other: TestCircuit;
let folder: string;
let server: FileServer;
let prover: Prover | undefined;
let notices: Notice[];
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  other = await testCircuit('flags');
}, MAKING_TIMEOUT);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-kept-'));
  server = await FileServer.start();
  notices = [];
});
afterEach(async () => {
  await prover?.dispose();
  prover = undefined;
  await server.stop();
  await rm(folder, { recursive: true });
});
afterAll(endSnarkjs);

/** A new visit with the same cache. What the one before was writing is written. */
async function visit(options: ProverOptions = {}): Promise<Prover> {
  await prover?.dispose();
  server.take();
  prover = await inPlaceProver({
    backend: 'wasm',
    threads: 1,
    cache: { directory: folder },
    onNotice: (notice) => void notices.push(notice),
    ...options,
  });
  return prover;
}

/** Loads a key at a new visit. */
async function load(
  source: string | readonly string[],
  options?: KeyLoadOptions,
  proverOptions?: ProverOptions,
): Promise<Groth16Key> {
  return (await visit(proverOptions)).groth16.loadKey(source, options);
}

async function expectProof(key: Groth16Key, of: TestCircuit): Promise<void> {
  const { proof, publicSignals } = await prover!.groth16.prove(key, await snarkjsWitness(of));
  expect(await prover!.groth16.verify(of.verificationKey, publicSignals, proof)).toBe(true);
}

const served = (headers: Record<string, string> = {}, more: Partial<ServedFile> = {}): ServedFile => ({
  bytes: circuit.zkey,
  headers,
  ...more,
});

describe('a key by URL whose SHA-256 is pinned', () => {
  it('is downloaded once, by whatever URL, whatever the server says of it', async () => {
    const sha256 = hashOf(circuit.zkey);
    server.files.set('/key', served());
    const first = await load(server.url('/key'), { sha256 });
    expect(first.report.cached).toBe(false);
    expect(server.take()).toEqual({ requests: ['GET /key'], bytes: circuit.zkey.length });
    const second = await load(server.url('/elsewhere'), { sha256: sha256.toUpperCase() });
    expect(second.report.cached).toBe(true);
    await expectProof(second, circuit);
    expect(server.take().requests).toEqual([]);
    // With the pin of another key it is fetched, and refused.
    await expect(load(server.url('/key'), { sha256: hashOf(other.zkey) })).rejects.toMatchObject({
      code: 'KEY_MISMATCH',
    });
    await expect(load(server.url('/key'), { sha256: hashOf(new Uint8Array()) })).rejects.toThrow('SHA-256');
  });

  it('is downloaded once in chunks', async () => {
    const chunks = zkeyChunks(circuit.zkey);
    for (const [i, bytes] of chunks.entries()) server.files.set(`/${i}`, { bytes });
    const urls = chunks.map((_, i) => server.url(`/${i}`));
    // The chunks are those of the sections in ascending order.
    const whole = (await import('../../sdk/files/snarkjs/zkey-chunks.js')).joinZkeyChunks(chunks.map(memorySource));
    const { size } = await whole;
    const sha256 = hashOf(await (await whole).read(0, size));
    await load([...urls].reverse(), { sha256 });
    expect(server.take().requests).toHaveLength(chunks.length);
    await expectProof(await load(urls, { sha256 }), circuit);
    expect(server.take().requests).toEqual([]);
  });

  it('is fetched again when somebody has put another key into the cache', async () => {
    const sha256 = hashOf(circuit.zkey);
    server.files.set('/key', served());
    await load(server.url('/key'), { sha256 });
    await prover!.dispose();
    const cache = new PreparedCache(await folderStore(folder));
    expect(await cache.saveFile(`file/sha256/${sha256}`, {}, memorySource(other.zkey))).toEqual({ kind: 'saved' });
    await expectProof(await load(server.url('/key'), { sha256 }), circuit);
    expect(server.take().requests).toEqual(['GET /key']);
    expect(notices.map(({ code }) => code)).toEqual(['CACHE_DAMAGED']);
    await load(server.url('/key'), { sha256 });
    expect(server.take().requests).toEqual([]);
  });

  it('is loaded when the server is gone, and without a pin the error says how', async () => {
    server.files.set('/key', served(STRONG));
    await load(server.url('/key'));
    await load(server.url('/key'), { sha256: hashOf(circuit.zkey) });
    await visit();
    await server.stop();
    await expectProof(await prover!.groth16.loadKey(server.url('/key'), { sha256: hashOf(circuit.zkey) }), circuit);
    await expect(prover!.groth16.loadKey(server.url('/key'))).rejects.toMatchObject({
      code: 'IO_FAILED',
      hint: expect.stringContaining('sha256'),
    });
  });
});

describe('the names of records', () => {
  /** The names of all records in the folder, by the beginnings of their keys. */
  async function names(): Promise<(readonly [string, string | undefined])[]> {
    await prover?.dispose();
    prover = undefined;
    const records = await folderRecords(folder);
    const named = records.map(
      async (record) => [record.key.split('/', 2).join('/'), await nameOfRecord(folder, record)] as const,
    );
    return (await Promise.all(named)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  it.each([
    ['by its server', 'file/url', () => ({})],
    ['by its SHA-256', 'file/sha256', () => ({ sha256: hashOf(circuit.zkey) })],
  ])('are the last part of the URL of a file that is known %s', async (_, kind, optionsOf) => {
    server.files.set('/keys/spend.zkey?token=secret', served(STRONG));
    await load(server.url('/keys/spend.zkey?token=secret'), optionsOf());
    expect(await names()).toEqual([
      [kind, 'spend.zkey'],
      [`v${FORMAT_VERSION}/groth16`, 'spend.zkey'],
    ]);
  });

  it('are the name of a file, of the first chunk, and none for bytes', async () => {
    const path = join(folder, 'note.zkey');
    await writeFile(path, circuit.zkey);
    await load(path);
    expect(await names()).toEqual([[`v${FORMAT_VERSION}/groth16`, 'note.zkey']]);
    const chunks = zkeyChunks(other.zkey).map((bytes, i) => ({ bytes, path: join(folder, `flags.zkey${i}`) }));
    for (const { bytes, path } of chunks) await writeFile(path, bytes);
    await load(chunks.map(({ path }) => path));
    expect(await names()).toContainEqual([`v${FORMAT_VERSION}/groth16`, 'flags.zkey0']);
    await new PreparedCache(folderStore(folder)).clear();
    await (await visit()).groth16.loadKey(circuit.zkey);
    expect(await names()).toEqual([[`v${FORMAT_VERSION}/groth16`, undefined]]);
  });
});

describe('a key by URL', () => {
  it.each<[what: string, headers: Record<string, string>, isKept: boolean, more?: Partial<ServedFile>]>([
    ['a strong ETag', STRONG, true],
    ['a Last-Modified of long ago', { 'last-modified': OLD }, true],
    ['a weak ETag and a Last-Modified of long ago', { etag: 'W/"1"', 'last-modified': OLD }, true],
    ['a weak ETag alone', { etag: 'W/"1"' }, false],
    ['a Last-Modified of just now', { 'last-modified': new Date().toUTCString() }, false],
    ['neither', {}, false],
  ])('is asked about, and downloaded again only if it must be: %s', async (_, headers, isKept, more) => {
    server.files.set('/key', served(headers, more));
    await load(server.url('/key'));
    await expectProof(await load(server.url('/key')), circuit);
    const { requests, bytes } = server.take();
    expect(bytes).toBe(isKept ? 0 : circuit.zkey.length);
    expect(requests.filter((request) => request === 'GET /key')).toHaveLength(isKept ? 0 : 1);
  });

  it.each<[what: string, headers: Record<string, string>, more: Partial<ServedFile>]>([
    ['refuses HEAD', STRONG, { head: { status: 405 } }],
    ['refuses HEAD and knows no conditions', STRONG, { head: { status: 403 }, ignoresConditions: true }],
    ['does not show the ETag to HEAD', STRONG, { head: { headers: {} } }],
    ['refuses HEAD and has no ETag', { 'last-modified': OLD }, { head: { status: 501 } }],
  ])('is not downloaded again from a server that %s', async (_, headers, more) => {
    server.files.set('/key', served(headers, more));
    await load(server.url('/key'));
    const downloads: number[] = [];
    const onProgress = (event: ProgressEvent) => event.kind === 'bytes' && downloads.push(event.done);
    await expectProof(await load(server.url('/key'), { onProgress }), circuit);
    expect(server.take().requests).toEqual(['HEAD /key', 'GET /key']);
    expect(downloads.filter((done) => done > 0)).toEqual([]);
    server.files.set('/key', { ...more, bytes: other.zkey, headers: { etag: '"two"' } });
    await expectProof(await load(server.url('/key')), other);
  });

  it('is downloaded once more when the copy in the cache was replaced by what is no key, or another one', async () => {
    server.files.set('/key', served(STRONG));
    await load(server.url('/key'));
    for (const [bytes, options] of [
      [circuit.zkey.slice(0, 1000), {}],
      [other.zkey, { verificationKey: circuit.verificationKey }],
    ] as const) {
      await prover!.dispose();
      const cache = new PreparedCache(folderStore(folder));
      const listed = await cache.list('file/url/');
      const [record] = listed.kind === 'listed' ? listed.keys : [];
      const found = await cache.findFile(record!);
      if (found.kind !== 'hit') throw new Error(`expected the file in the cache, got ${found.kind}`);
      await cache.saveFile(record!, found.file.facts, memorySource(bytes));
      await expectProof(await load(server.url('/key'), options), circuit);
      expect(server.take().requests).toEqual(['HEAD /key', 'GET /key']);
      expect(notices.splice(0).map(({ code }) => code)).toEqual(['CACHE_DAMAGED']);
      await load(server.url('/key'), options);
      expect(server.take().requests).toEqual(['HEAD /key']);
    }
  });

  it('is not downloaded again when it was wrong on the server, too', async () => {
    server.files.set('/key', served(STRONG));
    await load(server.url('/key'));
    const wrong = load(server.url('/key'), { verificationKey: other.verificationKey });
    await expect(wrong).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
    expect(server.take().requests).toEqual(['HEAD /key', 'GET /key']);
  });

  it('is the new one when it was changed, also where the old one is in the cache', async () => {
    server.files.set('/key', served(STRONG));
    await load(server.url('/key'));
    server.files.set('/key', { bytes: other.zkey, headers: { etag: '"two"' } });
    await expectProof(await load(server.url('/key')), other);
    expect(server.take().requests).toEqual(['HEAD /key', 'GET /key']);
    await expectProof(await load(server.url('/key')), other);
    expect(server.take().requests).toEqual(['HEAD /key']);
  });

  it('is downloaded again when the server sends elsewhere', async () => {
    server.files.set('/key', served({}, { redirect: '/one' }));
    server.files.set('/one', served(STRONG));
    server.files.set('/two', { bytes: other.zkey, headers: STRONG });
    await load(server.url('/key'));
    await load(server.url('/key'));
    expect(server.take().requests).toEqual(['HEAD /key', 'HEAD /one']);
    server.files.set('/key', served({}, { redirect: '/two' }));
    await expectProof(await load(server.url('/key')), other);
  });

  it('is asked about chunk by chunk', async () => {
    const chunks = zkeyChunks(circuit.zkey);
    for (const [i, bytes] of chunks.entries()) server.files.set(`/${i}`, { bytes, headers: STRONG });
    const urls = chunks.map((_, i) => server.url(`/${i}`));
    await load(urls);
    server.files.set('/3', { bytes: chunks[3]!, headers: { etag: '"two"' } });
    await expectProof(await load(urls), circuit);
    expect(server.take().requests.filter((request) => request.startsWith('GET'))).toEqual(['GET /3']);
  });

  it('is fetched again when its copy is damaged', async () => {
    server.files.set('/key', served(STRONG));
    await load(server.url('/key'));
    await prover!.dispose();
    for (const name of await readdir(folder, { recursive: true })) {
      if (!/file.*url.*0\.0/.test(name)) continue;
      const path = join(folder, name);
      const bytes = await readFile(path);
      bytes[9]! ^= 1;
      await writeFile(path, bytes);
    }
    await expectProof(await load(server.url('/key')), circuit);
    expect(server.take().requests).toEqual(['HEAD /key', 'GET /key']);
    expect(notices.map(({ code }) => code)).toEqual(['CACHE_DAMAGED']);
  });

  it('can be aborted while the server is asked, and loaded afterwards', async () => {
    const controller = new AbortController();
    server.files.set('/key', served(STRONG));
    await load(server.url('/key'));
    server.files.set('/key', served(STRONG, { before: async () => controller.abort() }));
    const aborted = load(server.url('/key'), { signal: controller.signal });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await expectProof(await prover!.groth16.loadKey(server.url('/key')), circuit);
  });

  it('is not kept without a cache, and where storageBudget has no room for it', async () => {
    server.files.set('/key', served(STRONG));
    for (const options of [{ cache: false }, { storageBudget: circuit.zkey.length }]) {
      for (const _ of [1, 2]) {
        await load(server.url('/key'), {}, options);
        expect(server.take().requests).toEqual(['GET /key']);
      }
    }
    await prover!.dispose();
    expect(notices.map(({ message }) => message).join()).toContain('storageBudget');
  });

  it('keeps nothing of a file that is no key', async () => {
    server.files.set('/key', { bytes: new Uint8Array(100), headers: STRONG });
    for (const _ of [1, 2]) {
      await expect(load(server.url('/key'))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
      expect(server.take().requests).toEqual(['GET /key']);
    }
  });
});

describe('bases by URL', () => {
  it('are asked about as keys are', async () => {
    const points = new Uint8Array(128);
    server.files.set('/points', { bytes: points, headers: STRONG });
    for (const expected of ['GET /points', 'HEAD /points']) {
      const bases = await (await visit()).loadBases({ curve: 'bn254', points: server.url('/points') });
      expect(bases.count).toBe(2);
      expect(server.take().requests).toEqual([expected]);
    }
  });
});
