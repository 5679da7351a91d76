import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { indexedDbStore } from '../../sdk/files/cache/indexeddb-store.js';
import type { Bases, CircuitInputs, Groth16Key, Groth16VerificationKey, Report } from '../../sdk/index.js';
import { PageVisit } from '../support/page-visit.js';
import { encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import { Random } from '../support/random.js';

/** So many that multiples pay on the workers. */
const COUNT = 300;
const { points, factors } = progression(bn254, COUNT, 5n, 3n);
const random = new Random(61);
const scalars = factors.map(() => random.below(bn254.fr.modulus));
const total = factors.reduce((sum, factor, i) => sum + factor * scalars[i]!, 0n);
const expected = encodePoint('bn254', 'g1', multipleOf(bn254, total));

/** The cache of all pages of this origin. */
const store = indexedDbStore();

let visit: PageVisit;
beforeEach(async () => {
  for (const name of await store.keys()) await store.delete(name);
});
afterEach(() => visit.end());

/** Closes the page that is open, if one is, and opens it anew. */
async function comeBack(): Promise<void> {
  visit?.end();
  visit = await PageVisit.begin({ backend: 'wasm', threads: 2, cache: true });
  expect(visit.prover.capabilities.cache).toBe('indexeddb');
}

const load = (precompute: number | 'auto'): Promise<Bases> =>
  visit.prover.loadBases({ curve: 'bn254', points: visit.bytes(encodePoints(bn254, points)), precompute });

async function expectRight(bases: Bases): Promise<void> {
  const { bytes } = await visit.prover.msm(bases, visit.bytes(encodeScalars(scalars)));
  expect([...bytes]).toEqual([...expected]);
}

const codes = (): string[] => visit.notices.map(({ code }) => code);

const told = (code: string): Promise<void> => expect.poll(codes).toContain(code);

const phases = ({ timeline }: Report): string[] => timeline.map(({ phase }) => phase);

/** The names of what is kept of the multiples: the manifests of their records, or their chunks. */
async function kept(what: 'manifest' | 'chunk'): Promise<string[]> {
  const names = (await store.keys()).filter((name) => name.includes('/multiples/'));
  return names.filter((name) => name.endsWith('manifest') === (what === 'manifest'));
}

/** Waits until so many records of multiples are kept, and the one of what they belong to. */
const saved = (records: number): Promise<void> =>
  expect
    .poll(
      async () => {
        const all = (await store.keys()).filter((name) => name.endsWith('manifest'));
        const ofMultiples = (await kept('manifest')).length;
        return [ofMultiples, all.length - ofMultiples];
      },
      { timeout: 60_000 },
    )
    .toEqual([records, 1]);

/** Nothing is prepared or made again: neither while they are loaded nor after the first sum or proof. */
function expectFromCache(report: Report): void {
  expect(report.cached).toBe(true);
  expect(phases(report)).not.toContain('prepare');
  expect(phases(report)).not.toContain('precompute');
  expect(phases(report).filter((phase) => phase === 'hash')).toHaveLength(1);
}

describe('multiples of bases at the next visit', () => {
  it('that a load has made are there', async () => {
    await comeBack();
    const bases = await load(4);
    expect(phases(bases.report)).toContain('precompute');
    await expectRight(bases);
    await saved(1);
    await comeBack();
    const again = await load(4);
    expectFromCache(again.report);
    await expectRight(again);
    expect(codes()).toEqual([]);
  });

  it('that idle time has made are there, and are not made again', async () => {
    await comeBack();
    const bases = await load('auto');
    await expectRight(bases);
    await told('PRECOMPUTED');
    await expectRight(bases);
    await saved(1);
    await comeBack();
    const again = await load('auto');
    expectFromCache(again.report);
    expect(phases(again.report).filter((phase) => phase === 'cache-read')).toHaveLength(2);
    await expectRight(again);
    await expectRight(again);
    expect(codes()).toEqual([]);
  });

  it.each([4, 'auto'] as const)(
    'are made again when they are damaged, which is told: precompute %s',
    async (precompute) => {
      await comeBack();
      const bases = await load(precompute);
      await expectRight(bases);
      await saved(1);
      const [name] = await kept('chunk');
      const chunk = (await store.get(name!))!;
      chunk[17]! ^= 1;
      await store.set(name!, chunk);
      await comeBack();
      const again = await load(precompute);
      expect(again.report.cached).toBe(true);
      expect(again.report.notices.map(({ code }) => code)).toEqual(['CACHE_DAMAGED']);
      expect(phases(again.report).includes('precompute')).toBe(precompute !== 'auto');
      await expectRight(again);
      if (precompute === 'auto') await told('PRECOMPUTED');
      await expectRight(again);
      // The record is right again.
      await expect.poll(async () => (await store.get(name!))?.[17]).toBe(chunk[17]! ^ 1);
      await saved(1);
      await comeBack();
      const last = await load(precompute);
      expectFromCache(last.report);
      await expectRight(last);
      expect(codes()).toEqual([]);
    },
  );

  it('are made when the page was closed before they were', async () => {
    await comeBack();
    await expectRight(await load('auto'));
    await comeBack();
    const again = await load('auto');
    await expectRight(again);
    await told('PRECOMPUTED');
    await expectRight(again);
  });
});

describe('the multiples of a key at the next visit', () => {
  const folder = new URL('/examples/groth16-commitment/key/', location.href);

  async function file(name: string): Promise<Uint8Array> {
    const response = await fetch(new URL(name, folder));
    expect(response.ok).toBe(true);
    return new Uint8Array(await response.arrayBuffer());
  }

  const json = async (name: string): Promise<unknown> => JSON.parse(new TextDecoder().decode(await file(name)));

  async function expectProof(key: Groth16Key): Promise<Report> {
    const { groth16 } = visit.prover;
    const inputs = (await json('input.json')) as CircuitInputs;
    const { proof, publicSignals, report } = await groth16.fullProve(key, inputs, visit.bytes(await file('note.wasm')));
    const verificationKey = (await json('note.vkey.json')) as Groth16VerificationKey;
    expect(await groth16.verify(verificationKey, publicSignals, proof)).toBe(true);
    return report;
  }

  it('serve its first proof', async () => {
    const zkey = await file('note.zkey');
    await comeBack();
    const key = await visit.prover.groth16.loadKey(visit.bytes(zkey), { precompute: 'auto' });
    expect(phases(key.report)).not.toContain('precompute');
    await expectProof(key);
    await told('PRECOMPUTED');
    await expectProof(key);
    const records = visit.notices.find(({ code }) => code === 'PRECOMPUTED')!.message.split(';').length;
    await saved(records);
    await comeBack();
    const again = await visit.prover.groth16.loadKey(visit.bytes(zkey), { precompute: 'auto' });
    expectFromCache(again.report);
    expect(phases(again.report).filter((phase) => phase === 'cache-read')).toHaveLength(1 + records);
    expect(phases(await expectProof(again))).not.toContain('precompute');
    expect(codes()).toEqual([]);
  });
});

describe('a key and a circuit by URL at the next visit', () => {
  const folder = new URL('/examples/groth16-commitment/key/', location.href);
  const url = (name: string): string => new URL(name, folder).href;
  const hex = (bytes: ArrayBuffer): string =>
    [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const pin = async (name: string): Promise<{ sha256: string }> => {
    const response = await fetch(url(name));
    return { sha256: hex(await crypto.subtle.digest('SHA-256', await response.arrayBuffer())) };
  };

  it('are loaded by their pins without a request, and prove', async () => {
    const [keyPin, circuitPin] = [await pin('note.zkey'), await pin('note.wasm')];
    await comeBack();
    const bytes: (number | undefined)[] = [];
    await visit.prover.groth16.loadKey(url('note.zkey'), {
      ...keyPin,
      onProgress: (event) => void (event.kind === 'bytes' && bytes.push(event.done)),
    });
    expect(bytes[0]).toBe(0);
    await visit.prover.groth16.loadCircuit(url('note.wasm'), circuitPin);
    const isFile = (name: string): boolean => name.startsWith('file/') && name.endsWith('manifest');
    await expect.poll(async () => (await store.keys()).filter(isFile)).toHaveLength(2);
    await comeBack();
    const { groth16 } = visit.prover;
    // No file is there, so that a request would fail.
    const key = await groth16.loadKey(url('none.zkey'), keyPin);
    const circuit = await groth16.loadCircuit(url('none.wasm'), circuitPin);
    const inputs = (await (await fetch(url('input.json'))).json()) as CircuitInputs;
    const { proof, publicSignals } = await groth16.fullProve(key, inputs, circuit);
    expect(await groth16.verify(key.verificationKey, publicSignals, proof)).toBe(true);
    expect(codes()).toEqual([]);
  });
});
