import { afterEach, expect, it } from 'vitest';
import type { CircuitInputs, Groth16VerificationKey } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { indexedDbStore } from '../../sdk/files/cache/indexeddb-store.js';
import { PageVisit } from '../support/page-visit.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import { Random } from '../support/random.js';

declare global {
  interface ImportMeta {
    /** What Vite passes on of the environment. */
    readonly env: Readonly<Record<string, string | undefined>>;
  }
}

/** VITE_TAB_OPERATIONS=10000 makes a long run of it. */
const OPERATIONS = Number(import.meta.env.VITE_TAB_OPERATIONS ?? 60);
const random = new Random(Number(import.meta.env.VITE_TAB_SEED ?? 1));

/** An operation that takes this many milliseconds, on the mean of all, hangs. */
const HANGS_AFTER_MS = 10_000;

const COUNT = 300;
const { points, factors } = progression(bn254, COUNT, 5n, 3n);
const scalars = factors.map(() => random.below(bn254.fr.modulus));
const expected = [...encodePoint('bn254', 'g1', multipleOf(bn254, dot(factors, scalars)))];
const key = new URL('/examples/groth16-commitment/key/', location.href);

/** The cache of all pages of this origin. */
const store = indexedDbStore();
const tabs: PageVisit[] = [];
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.end();
});

async function file(name: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(new URL(name, key))).arrayBuffer());
}

const json = async (name: string): Promise<unknown> => JSON.parse(new TextDecoder().decode(await file(name)));

const openTab = (): Promise<PageVisit> => PageVisit.begin({ backend: 'wasm', threads: 1, cache: true });

/** Deletes the database as another script of the origin does. Rejects if an open page keeps it. */
function deleteDatabase(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase('pippin');
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('expected the database to be deleted, got a page that keeps it'));
  });
}

async function sum(tab: PageVisit, precompute: number | 'auto'): Promise<void> {
  const bases = await tab.prover.loadBases({
    curve: 'bn254',
    points: tab.bytes(encodePoints(bn254, points)),
    precompute,
  });
  const { bytes } = await tab.prover.msm(bases, tab.bytes(encodeScalars(scalars)));
  expect([...bytes]).toEqual(expected);
  await bases.dispose();
}

async function prove(tab: PageVisit): Promise<void> {
  const { groth16 } = tab.prover;
  const loaded = await groth16.loadKey(tab.bytes(await file('note.zkey')));
  const inputs = (await json('input.json')) as CircuitInputs;
  const { proof, publicSignals } = await groth16.fullProve(loaded, inputs, tab.bytes(await file('note.wasm')));
  const verificationKey = (await json('note.vkey.json')) as Groth16VerificationKey;
  expect(await groth16.verify(verificationKey, publicSignals, proof)).toBe(true);
  await loaded.dispose();
}

async function evict(among: number): Promise<void> {
  for (const name of await store.keys()) if (random.integer(among) === 0) await store.delete(name);
}

/** Something that a tab does, or that happens to it. */
async function operate(i: number): Promise<void> {
  const tab = tabs[i]!;
  switch (random.integer(16)) {
    case 0:
      return tab.prover.clearCache();
    case 1:
      tab.end();
      tabs[i] = await openTab();
      return;
    case 2:
      return deleteDatabase();
    case 3:
    case 4:
      return evict(3);
    case 5:
      return prove(tab);
    default:
      return sum(tab, ([1, 1, 4, 'auto'] as const)[random.integer(4)]!);
  }
}

it(
  'two tabs on one cache give right results, whatever becomes of its entries',
  async () => {
    tabs.push(await openTab(), await openTab());
    for (let done = 0; done < OPERATIONS; done += 2) await Promise.all([operate(0), operate(1)]);
    for (const { notices } of tabs) {
      for (const { code } of notices) expect(['CACHE_DAMAGED', 'PRECOMPUTED']).toContain(code);
    }
    // Each of them waits for what it writes itself.
    for (const { prover } of tabs) await prover.clearCache();
    expect(await store.keys()).toEqual([]);
  },
  OPERATIONS * HANGS_AFTER_MS,
);

it('a database is deleted at once while a prover lives, which then fills another', async () => {
  tabs.push(await openTab());
  const [tab] = tabs as [PageVisit];
  for (let times = 0; times < 2; times++) {
    await sum(tab, 1);
    await expect.poll(async () => (await store.keys()).some((name) => name.endsWith('#manifest'))).toBe(true);
    await deleteDatabase();
    expect(await store.keys()).toEqual([]);
  }
});
