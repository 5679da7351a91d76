import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexedDbStore } from '../../sdk/files/cache/indexeddb-store.js';
import { CHUNK_BYTES } from '../../sdk/files/cache/manifest.js';
import type { CircuitInputs, Groth16Key, Groth16VerificationKey, ProvingKeyLoadOptions } from '../../sdk/index.js';
import { begunBytes } from '../support/begun-bytes.js';
import { PageVisit } from '../support/page-visit.js';

/** The example's packed key in pages, which come back; tests/support/failing-downloads.ts has servers that fail. */

const folder = new URL('/examples/groth16-commitment/key/', location.href);
const url = (name: string): string => new URL(name, folder).href;
const served = (name: string): string => new URL(name, location.href).href;

/** The cache of all pages of this origin. */
const store = indexedDbStore();

let visit: PageVisit;
beforeEach(async () => {
  for (const name of await store.keys()) await store.delete(name);
  await open();
});
afterEach(() => visit.end());

async function open(): Promise<void> {
  visit = await PageVisit.begin({ backend: 'wasm', threads: 2, cache: true });
}

async function comeBack(): Promise<void> {
  visit.end();
  await open();
}

/**
 * The whole file, from a server that fails if it is not asked for a range. The browser does not keep it, or a download
 * would not reach that server.
 */
async function file(location: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(location, { headers: { range: 'bytes=0-' }, cache: 'no-store' });
  expect(response.ok).toBe(true);
  return new Uint8Array(await response.arrayBuffer());
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function json<T>(name: string): Promise<T> {
  return (await (await fetch(url(name))).json()) as T;
}

/** Loads a key, and proves with it. */
async function loadAndProve(location: string, options: ProvingKeyLoadOptions): Promise<Groth16Key> {
  const key = await visit.prover.loadKey(location, options);
  if (key.protocol !== 'groth16') throw new Error(`expected a key of Groth16, got ${key.protocol}`);
  const { groth16 } = visit.prover;
  const inputs = await json<CircuitInputs>('input.json');
  const { proof, publicSignals } = await groth16.fullProve(key, inputs, url('note.wasm'));
  expect(await groth16.verify(await json<Groth16VerificationKey>('note.vkey.json'), publicSignals, proof)).toBe(true);
  return key;
}

describe('a packed key by URL', () => {
  it('is loaded by its pin and proves, and at the next visit from the cache, without a request', async () => {
    const pin = { sha256: await sha256Of(await file(url('note.pzkey'))) };
    const first = await loadAndProve(url('note.pzkey'), pin);
    expect(first.report.cached).not.toBe(true);
    await visit.prover.cacheWritten();
    await comeBack();
    // No file is there, so that a request would fail.
    const again = await loadAndProve(url('none.pzkey'), pin);
    expect(again.report.cached).toBe(true);
    expect(again.report.timeline.map(({ phase }) => phase)).not.toContain('prepare');
    expect(visit.notices).toEqual([]);
  });

  it('goes on by ranges where its download breaks off', async () => {
    const pin = { sha256: await sha256Of(await file(url('note.pzkey'))) };
    await fetch(served('/breaking.pzkey/ranges'));
    await loadAndProve(served('/breaking.pzkey'), pin);
    const ranges = (await (await fetch(served('/breaking.pzkey/ranges'))).json()) as string[];
    expect(ranges).toHaveLength(1);
    const from = Number(/^bytes=(\d+)-\d+$/.exec(ranges[0]!)![1]);
    expect(from).toBeGreaterThan(0);
    expect(from).toBeLessThanOrEqual(600_000);
    expect(visit.notices).toEqual([]);
  });

  it('goes on at the next visit from what the cache has of it', async () => {
    const location = served('/stalling.pzkey');
    const pin = { sha256: await sha256Of(await file(location)) };
    void visit.prover.loadKey(location, pin).catch(() => undefined);
    await expect.poll(() => begunBytes(store), { timeout: 60_000 }).toBe(2 * CHUNK_BYTES);
    await comeBack();
    const dones: number[] = [];
    const onProgress: ProvingKeyLoadOptions['onProgress'] = (event) =>
      void (event.kind === 'bytes' && dones.push(event.done));
    await loadAndProve(location, { ...pin, onProgress });
    expect(dones[0]).toBe(2 * CHUNK_BYTES);
    expect(dones).toEqual([...dones].sort((a, b) => a - b));
    await expect.poll(() => begunBytes(store)).toBeUndefined();
    expect(visit.notices).toEqual([]);
  });

  it('is refused if it was damaged, and not kept', async () => {
    const bytes = await file(url('note.pzkey'));
    for (const share of [0.5, 0.9]) {
      const damaged = bytes.slice();
      damaged[Math.floor(share * bytes.length)]! ^= 1;
      const location = URL.createObjectURL(new Blob([damaged]));
      for (const source of [visit.bytes(damaged), location]) {
        await expect(visit.prover.loadKey(source)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
      }
      const pin = { sha256: await sha256Of(bytes) };
      await expect(visit.prover.loadKey(location, pin)).rejects.toMatchObject({ name: 'PippinError' });
      URL.revokeObjectURL(location);
    }
    await visit.prover.cacheWritten();
    expect(await store.keys()).toEqual([]);
  });
});

describe('packKey and unpackKey in a page', () => {
  it('give the bytes that Node gives', async () => {
    const { packKey, unpackKey } = await visit.encodings();
    const [zkey, pzkey] = [await file(url('note.zkey')), await file(url('note.pzkey'))];
    const packed = await packKey(url('note.zkey'));
    expect(await sha256Of(new Uint8Array(await packed.pzkey.arrayBuffer()))).toBe(await sha256Of(pzkey));
    expect([packed.sha256, packed.zkeyBytes]).toEqual([await sha256Of(pzkey), zkey.length]);
    const unpacked = await unpackKey(visit.bytes(pzkey));
    expect(await sha256Of(new Uint8Array(await unpacked.zkey.arrayBuffer()))).toBe(await sha256Of(zkey));
    expect(unpacked.sha256).toBe(await sha256Of(zkey));
  });
});
