import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Multiples } from '../../bench/cpu/setup/multiples.js';
import { plonkChain } from '../../bench/plonk/chain.js';
import { makePlonkKey } from '../../bench/plonk/make-plonk-key.js';
import type { PlonkKey, PlonkKeyLoadOptions, Prover } from '../../sdk/api/index.js';
import type { Notice, ProgressEvent } from '../../sdk/api/progress.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { folderStore } from '../../sdk/files/cache/folder-store.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import {
  FFLONK_CIRCUITS,
  fflonkCircuit,
  MAKING_TIMEOUT,
  PLONK_KEYS,
  plonkCircuit,
  snarkjsWitness,
  testCircuit,
} from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FileServer, type RangeAnswer, type ServedFile } from '../support/file-server.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { root } from '../support/root.js';
import { failureOf, sectionFile, sectionsOf } from '../support/section-bytes.js';
import { loadKernel } from '../support/wasm.js';

const OLD = 'Fri, 05 Jan 2024 10:00:00 GMT';
const STRONG = { etag: '"one"' };
/** The first request of a key. */
const FIRST_BYTES = 2 ** 14;
/** All requests of its parts. */
const GETS = 11;

/** A key of 2^8 gates and its witness. */
let zkey: Uint8Array;
let witness: Uint8Array;
let folder: string;
let server: FileServer;
let prover: Prover | undefined;
let notices: Notice[];
beforeAll(async () => {
  const chain = plonkChain(8);
  const multiples = await Multiples.create(readFileSync(join(root, 'dist/bn254.wasm')));
  zkey = await makePlonkKey(chain.circuit, await loadKernel('bn254'), multiples);
  witness = chain.witness;
}, MAKING_TIMEOUT);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-ranges-'));
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
async function visit(): Promise<Prover> {
  await prover?.dispose();
  server.take();
  const onNotice = (notice: Notice) => void notices.push(notice);
  prover = await inPlaceProver({ backend: 'wasm', threads: 1, cache: { directory: folder }, onNotice });
  return prover;
}

async function load(options?: PlonkKeyLoadOptions): Promise<PlonkKey> {
  return (await visit()).plonk.loadKey(server.url('/key'), options);
}

async function expectProof(key: PlonkKey): Promise<void> {
  const { proof, publicSignals } = await prover!.plonk.prove(key, witness);
  expect(await prover!.plonk.verify(key.verificationKey, publicSignals, proof)).toBe(true);
}

const honest = (answer: RangeAnswer): RangeAnswer => answer;

/** The key, from a server that knows ranges and answers as `ranges` says. */
function serve(ranges: ServedFile['ranges'] = honest, more: Partial<ServedFile> = {}): void {
  server.files.set('/key', { bytes: zkey, headers: STRONG, ranges, ...more });
}

const getsOf = (requests: readonly string[]): number => requests.filter((each) => each === 'GET /key').length;

describe('a PLONK key at the URL of a server that knows ranges', () => {
  it('is fetched to less than 30%, in a few requests, and progress counts what is fetched', async () => {
    serve();
    const events: ProgressEvent[] = [];
    const key = await load({ onProgress: (event) => void events.push(event) });
    const { requests, bytes } = server.take();
    expect(bytes / zkey.length).toBeLessThan(0.3);
    expect(getsOf(requests)).toBe(GETS);
    const counted = events.flatMap((event) => (event.kind === 'bytes' ? [event] : []));
    expect(counted.at(-1)).toMatchObject({ done: bytes, total: bytes });
    const dones = counted.map(({ done }) => done);
    expect(dones).toEqual(dones.toSorted((a, b) => a - b));
    await expectProof(key);
    expect(server.take().requests).toEqual([]);
  });

  it('is the same key as the whole file', async () => {
    serve();
    const inParts = await load();
    const whole = await prover!.plonk.loadKey(zkey.slice());
    expect(whole.verificationKey).toEqual(inParts.verificationKey);
    expect(inParts).toMatchObject({ protocol: 'plonk', variables: whole.variables });
  });

  it('is found by prover.loadKey, too', async () => {
    serve();
    const key = await (await visit()).loadKey(server.url('/key'));
    expect(server.take().bytes / zkey.length).toBeLessThan(0.3);
    await expectProof(key as PlonkKey);
  });

  it.each<[what: string, headers: Record<string, string>]>([
    ['a strong ETag', STRONG],
    ['a Last-Modified of long ago', { 'last-modified': OLD }],
    ['a weak ETag and a Last-Modified of long ago', { etag: 'W/"1"', 'last-modified': OLD }],
  ])('is in the cache at the next visit, with what was prepared from it: %s', async (_, headers) => {
    serve(honest, { headers });
    expect((await load()).report.cached).toBe(false);
    const key = await load();
    expect(key.report.cached).toBe(true);
    expect(server.take()).toEqual({ requests: ['HEAD /key'], bytes: 0 });
    await expectProof(key);
    expect(notices).toEqual([]);
  });

  it('is not fetched again when HEAD is refused', async () => {
    serve(honest, { head: { status: 405 } });
    await load();
    await expectProof(await load());
    const { requests, bytes } = server.take();
    expect(requests).toEqual(['HEAD /key', 'GET /key']);
    expect(bytes).toBeLessThanOrEqual(FIRST_BYTES);
  });

  it('is fetched anew when it has changed', async () => {
    serve();
    await load();
    serve(honest, { headers: { etag: '"two"' } });
    await expectProof(await load());
    expect(getsOf(server.take().requests)).toBe(GETS);
    await load();
    expect(server.take().requests).toEqual(['HEAD /key']);
  });

  it('needs its server, as whole files do', async () => {
    serve();
    await load();
    await visit();
    await server.stop();
    const { code, hint } = await failureOf(() => prover!.plonk.loadKey(server.url('/key')));
    expect({ code, hint }).toEqual({ code: 'IO_FAILED', hint: expect.stringContaining('sha256') });
  });

  it.each([
    ['other parts', (facts: object) => ({ ...facts, parts: { size: 1, extents: [{ start: 0, end: 7 }] } })],
    ['no parts', (facts: object) => ({ ...facts, parts: undefined })],
    ['other bytes', (facts: object) => facts, (bytes: Uint8Array) => bytes.fill(1, 12)],
  ])('is fetched again when somebody has put %s into the cache', async (_, factsOf, bytesOf = honestBytes) => {
    serve();
    await load();
    await prover!.dispose();
    const cache = new PreparedCache(folderStore(folder));
    const listed = await cache.list('file/url/');
    const [record] = listed.kind === 'listed' ? listed.keys : [];
    const found = await cache.findFile(record!);
    if (found.kind !== 'hit') throw new Error(`expected the file in the cache, got ${found.kind}`);
    const read = await found.file.read();
    if (typeof read === 'string') throw new Error(read);
    const bytes = bytesOf(await read.source.read(0, read.source.size));
    await cache.saveFile(record!, factsOf(found.file.facts as object), memorySource(bytes));
    await expectProof(await load());
    expect(getsOf(server.take().requests)).toBe(GETS);
    await load();
    expect(server.take().requests).toEqual(['HEAD /key']);
  });

  it('is fetched as a whole with a SHA-256, which is of all bytes', async () => {
    serve();
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', zkey.slice())).toString('hex');
    await load({ sha256 });
    expect(server.take()).toEqual({ requests: ['GET /key'], bytes: zkey.length });
    await expectProof(await load({ sha256 }));
    expect(server.take().requests).toEqual([]);
  });

  it('ends with the signal of the call', async () => {
    const aborting = new AbortController();
    serve(async (answer, nth) => {
      if (nth === 3) aborting.abort();
      return answer;
    });
    await expect(load({ signal: aborting.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(getsOf(server.take().requests)).toBeLessThan(GETS);
  });

  it('ends at the most bytes that the caller wants, of those that are fetched', async () => {
    serve();
    const tooFew = load({ maxBytes: Math.floor(zkey.length * 0.15) });
    await expect(tooFew).rejects.toMatchObject({ code: 'DOWNLOAD_TOO_LARGE' });
    await load({ maxBytes: Math.floor(zkey.length * 0.3) });
  });
});

describe('a PLONK key is fetched as a whole', () => {
  const changed = (change: (answer: RangeAnswer) => RangeAnswer) => (answer: RangeAnswer, nth: number) =>
    nth === 3 ? change(answer) : answer;
  const header = (name: string, value: string) =>
    changed((answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }));

  it.each<[what: string, ranges: ServedFile['ranges'] | 'none', more?: Partial<ServedFile>]>([
    ['does not know ranges', 'none'],
    ['refuses ranges', ({ headers }) => ({ status: 416, headers, body: new Uint8Array() })],
    ['has no validator', honest, { headers: {} }],
    ['has a weak ETag alone', honest, { headers: { etag: 'W/"1"' } }],
    ['answers a range with the whole file', changed(({ headers }) => ({ status: 200, headers, body: zkey }))],
    ['names other bytes', header('content-range', 'bytes 7-99/1000')],
    ['names no bytes', header('content-range', '')],
    ['names no length', header('content-range', 'bytes 0-16383/*')],
    ['has another length all at once', changed(shifted)],
    ['has another ETag all at once', header('etag', '"two"')],
    ['compresses', changed(compressed)],
    ['compresses the first bytes', (answer, nth) => (nth === 0 ? compressed(answer) : answer)],
    ['sends fewer bytes', changed((answer) => ({ ...answer, body: answer.body.subarray(1) }))],
    ['sends more bytes', changed((answer) => ({ ...answer, body: new Uint8Array(answer.body.length + 1) }))],
    ['fails', changed(({ headers }) => ({ status: 503, headers, body: new Uint8Array() }))],
    ['breaks off', changed((answer) => ({ ...breaking(answer), breaksOff: true }))],
  ])('from a server that %s', async (_, ranges, more) => {
    serve(ranges === 'none' ? undefined : ranges, more);
    if (ranges === 'none') server.files.set('/key', { bytes: zkey, headers: STRONG });
    const counted: number[] = [];
    const key = await load({ onProgress: (event) => event.kind === 'bytes' && counted.push(event.done) });
    expect(server.take().bytes).toBeGreaterThanOrEqual(zkey.length);
    expect(counted.at(-1)).toBeGreaterThanOrEqual(zkey.length);
    await expectProof(key);
  });

  it('with one request where the first answer is the whole file', async () => {
    server.files.set('/key', { bytes: zkey, headers: STRONG });
    await load();
    expect(server.take()).toEqual({ requests: ['GET /key'], bytes: zkey.length });
    await load();
    expect(server.take()).toEqual({ requests: ['HEAD /key'], bytes: 0 });
  });

  it('whose sections come in another order than its header lets expect', async () => {
    const sections = sectionsOf(zkey);
    const bytes = sectionFile('zkey', 1, [...sections.slice(0, -3).reverse(), ...sections.slice(-3)]);
    serve(honest, { bytes });
    await expectProof(await load());
    expect(server.take().bytes).toBeGreaterThanOrEqual(bytes.length);
  });

  it('with the errors that such a file has', async () => {
    serve(honest, { bytes: zkey.slice(0, zkey.length / 2) });
    await expect(load()).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    serve(honest, { bytes: new Uint8Array(100) });
    await expect(load()).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    serve(honest, { bytes: new Uint8Array() });
    await expect(load()).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    server.files.delete('/key');
    await expect(load()).rejects.toMatchObject({ code: 'IO_FAILED', message: expect.stringContaining('404') });
  });
});

describe('other keys by ranges', () => {
  it.each(PLONK_KEYS)('PLONK: %s', async (name) => {
    const circuit = await plonkCircuit(name);
    serve(honest, { bytes: circuit.zkey });
    const key = await load({ verificationKey: circuit.verificationKey });
    expect(server.take().bytes).toBeLessThanOrEqual(circuit.zkey.length);
    const { proof, publicSignals } = await prover!.plonk.prove(key, await snarkjsWitness(circuit));
    expect(await prover!.plonk.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  });

  it.each(FFLONK_CIRCUITS)('FFLONK: %s', async (name) => {
    const circuit = await fflonkCircuit(name);
    serve(honest, { bytes: circuit.zkey });
    const { fflonk } = await visit();
    const key = await fflonk.loadKey(server.url('/key'), { verificationKey: circuit.verificationKey });
    expect(server.take().bytes).toBeLessThanOrEqual(circuit.zkey.length);
    const { proof, publicSignals } = await fflonk.prove(key, await snarkjsWitness(circuit));
    expect(await fflonk.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  });

  it('Groth16: as a whole, by one request where the caller names the proof system', async () => {
    const circuit = await testCircuit('smallest');
    serve(honest, { bytes: circuit.zkey });
    await (await visit()).groth16.loadKey(server.url('/key'));
    expect(server.take()).toEqual({ requests: ['GET /key'], bytes: circuit.zkey.length });
    server.files.set('/other', { bytes: circuit.zkey, headers: STRONG, ranges: honest });
    expect(await prover!.loadKey(server.url('/other'))).toMatchObject({ protocol: 'groth16' });
    expect(server.take().requests).toEqual(['GET /other', 'GET /other']);
  });
});

function honestBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}

/** As if the file had one byte more. */
function shifted(answer: RangeAnswer): RangeAnswer {
  const range = answer.headers['content-range']!.replace(/\d+$/, (size) => String(Number(size) + 1));
  return { ...answer, headers: { ...answer.headers, 'content-range': range } };
}

function compressed({ headers, body, status }: RangeAnswer): RangeAnswer {
  return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
}

/** Half of a body, with the whole body's Content-Length. */
function breaking({ headers, body, status }: RangeAnswer): RangeAnswer {
  const length = { 'content-length': String(body.length) };
  return { status, headers: { ...headers, ...length }, body: body.subarray(0, body.length / 2) };
}
