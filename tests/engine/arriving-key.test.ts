import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../support/circuits.js';
import { FileServer, type ServedFile } from '../support/file-server.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { packed } from '../support/packed-keys.js';
import { sectionFile, sectionsOf, zkeyChunks } from '../support/section-bytes.js';

const STRONG = { etag: '"one"' };
/** The history of the ceremony, which no prover reads, makes the key large. */
const HISTORY = new Uint8Array(3 * 2 ** 20).fill(7);

let circuit: TestCircuit;
let zkey: Uint8Array;
/** The same key with its history in front of all that is read. */
let zkeyWithHistoryFirst: Uint8Array;
let folder: string;
let server: FileServer;
let prover: Prover;
beforeAll(async () => {
  circuit = await testCircuit('flags');
  const sections = sectionsOf(circuit.zkey).filter(([id]) => id !== 10);
  zkey = sectionFile('zkey', 1, [...sections, [10, HISTORY]]);
  zkeyWithHistoryFirst = sectionFile('zkey', 1, [[10, HISTORY], ...sections]);
}, MAKING_TIMEOUT);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-arriving-'));
  server = await FileServer.start();
  prover = await visit();
});
afterEach(async () => {
  await prover.dispose();
  await server.stop();
  await rm(folder, { recursive: true });
});

const visit = (): Promise<Prover> => inPlaceProver({ backend: 'wasm', threads: 1, cache: { directory: folder } });

function serve(bytes: Uint8Array, file: Partial<ServedFile> = {}): string {
  server.files.set('/key', { bytes, headers: STRONG, ranges: (honest) => honest, ...file });
  return server.url('/key');
}

async function expectProof(key: Groth16Key): Promise<void> {
  const { proof, publicSignals } = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
  expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
}

/** Fulfilled by `open`. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('a large key by URL', () => {
  it.each([
    ['a .zkey', async () => zkey, false],
    ['a packed key', () => packed(zkey), false],
    ['a .zkey with a SHA-256', async () => zkey, true],
    ['a packed key with a SHA-256', () => packed(zkey), true],
  ])('%s is prepared while its last bytes are on their way', async (_, make, isPinned) => {
    const bytes = await make();
    const pin = isPinned ? { sha256: createHash('sha256').update(bytes).digest('hex') } : {};
    const prepared = gate();
    const url = serve(bytes, {
      async send(upTo) {
        await upTo(bytes.length - HISTORY.length / 2);
        await prepared.opened;
        await upTo(bytes.length);
      },
    });
    const dones: number[] = [];
    let isLoaded = false;
    const loading = prover.groth16.loadKey(url, {
      ...pin,
      onProgress(event) {
        if (event.kind === 'progress') dones.push(event.done);
        if (event.kind === 'span' && event.span.phase === 'distribute') {
          expect(isLoaded).toBe(false);
          prepared.open();
        }
      },
    });
    const key = await loading.finally(() => {
      isLoaded = true;
    });
    expect(dones).toEqual([...dones].sort((a, b) => a - b));
    const { read, distribute } = key.report.ms;
    expect(read).toBeGreaterThan(0);
    expect(distribute).toBeDefined();
    await expectProof(key);
    await prover.dispose();
    prover = await visit();
    server.take();
    const again = await prover.groth16.loadKey(url, pin);
    expect(again.report.cached).toBe(true);
    expect(server.take().requests).toEqual(isPinned ? [] : ['HEAD /key']);
    await expectProof(again);
  });

  it('is loaded whatever stands in front of its sections, and wherever the connection breaks', async () => {
    let breaks = 0;
    const url = serve(zkeyWithHistoryFirst, {
      send: async (upTo) => upTo(2 ** 20),
      ranges: (honest) => {
        const isLarge = honest.body.length > 2 ** 20;
        if (!isLarge || ++breaks > 2) return honest;
        const headers = { ...honest.headers, 'content-length': String(honest.body.length) };
        return { ...honest, headers, body: honest.body.subarray(0, 2 ** 19), breaksOff: true };
      },
    });
    await expectProof(await prover.groth16.loadKey(url));
    expect(breaks).toBe(3);
  });

  it('in chunks is loaded, too', async () => {
    const urls = zkeyChunks(zkeyWithHistoryFirst).map((bytes, i) => {
      server.files.set(`/${i}`, { bytes, headers: STRONG });
      return server.url(`/${i}`);
    });
    await expectProof(await prover.groth16.loadKey(urls));
  });

  it.each([
    ['without its end, by a server that does not know ranges', undefined],
    ['with a SHA-256', '0'.repeat(64)],
  ])('fails %s', async (_, sha256) => {
    const url = serve(zkeyWithHistoryFirst, { ranges: undefined as never, send: async (upTo) => upTo(2 ** 20) });
    const options = sha256 === undefined ? {} : { sha256 };
    await expect(prover.groth16.loadKey(url, options)).rejects.toMatchObject({
      code: 'IO_FAILED',
      message: expect.stringContaining(url),
    });
  });

  it('is refused if it has another SHA-256, whatever else is wrong with it', async () => {
    const sha256 = '0'.repeat(64);
    const malformed = sectionFile('zkey', 1, [[10, HISTORY], ...sectionsOf(circuit.zkey).slice(0, 3)]);
    for (const bytes of [zkey, malformed, new Uint8Array(2 ** 21)]) {
      await expect(prover.groth16.loadKey(serve(bytes), { sha256 })).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
    }
    const pin = { sha256: createHash('sha256').update(malformed).digest('hex') };
    await expect(prover.groth16.loadKey(serve(malformed), pin)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await expectProof(await prover.groth16.loadKey(serve(zkey)));
  });

  it('loads although its server never sends the end that nobody reads', async () => {
    const url = serve(zkey, { ranges: undefined as never, send: async (upTo) => upTo(zkey.length - 2 ** 20) });
    // The table of sections is read before.
    await expect(prover.groth16.loadKey(url)).resolves.toBeDefined();
  });

  it('is refused before it is there, if its beginning is none of a key', async () => {
    const ended = gate();
    const url = serve(new Uint8Array(2 ** 22), {
      async send(upTo) {
        await upTo(2 ** 20);
        await ended.opened;
      },
    });
    await expect(prover.groth16.loadKey(url)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    ended.open();
  });

  it('can be aborted, and its prover disposed, while it arrives', async () => {
    const ended = gate();
    const send: ServedFile['send'] = async (upTo) => {
      await upTo(2 ** 20);
      await ended.opened;
    };
    const abort = new AbortController();
    const url = serve(zkeyWithHistoryFirst, { send, headers: { ...STRONG, connection: 'close' } });
    const onProgress = (): void => abort.abort();
    await expect(prover.groth16.loadKey(url, { signal: abort.signal, onProgress })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const loading = expect(prover.groth16.loadKey(url)).rejects.toMatchObject({ code: 'DISPOSED' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await prover.dispose();
    await loading;
    ended.open();
  });
});
