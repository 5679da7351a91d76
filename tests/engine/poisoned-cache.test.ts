import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { PippinError } from '../../sdk/base/errors.js';
import { bls12377, bn254 } from '../../sdk/curves/index.js';
import { type CacheRecord, PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';

/** A record as it can be changed. */
type Facts = Record<string, { kept: number; exceptional: number[] }>;
interface Loose {
  facts: Facts;
  arrays: Record<string, Uint8Array>;
}

let circuit: TestCircuit;
let witness: Uint8Array;
/** What is in the store when the circuit's key has been loaded. */
let filled: FaultyStore;
beforeAll(async () => {
  circuit = await testCircuit('chain');
  witness = await snarkjsWitness(circuit);
  filled = store;
  await (await open()).groth16.loadKey(circuit.zkey);
  await prover?.dispose();
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

let prover: Prover | undefined;
let notices: Notice[] = [];
let store = new FaultyStore();
afterEach(() => prover?.dispose());

/** A prover that keeps what it prepares in `store`. */
async function open(): Promise<Prover> {
  await prover?.dispose();
  notices = [];
  prover = await inPlaceProver(
    { backend: 'wasm', threads: 1, cache: true, onNotice: (notice) => notices.push(notice) },
    { openStore: async () => store },
  );
  return prover;
}

/** A store with the record of the circuit's key. */
function fill(): void {
  store = new FaultyStore();
  for (const [name, bytes] of filled.chunks) store.chunks.set(name, bytes.slice());
}

/**
 * Ends the prover, so that its record is complete, and writes the one record of the store anew, with hashes that fit.
 */
async function poison(change: (record: Loose) => unknown): Promise<void> {
  await prover?.dispose();
  const name = [...store.chunks.keys()].find((key) => key.endsWith('#manifest'))!;
  const key = name.slice(0, -'#manifest'.length);
  const cache = new PreparedCache(store);
  const outcome = await cache.load(key);
  if (outcome.kind !== 'hit') throw new Error(`expected a record, got ${outcome.kind}`);
  const record = { facts: outcome.record.facts as Facts, arrays: { ...outcome.record.arrays } };
  const facts = change(record);
  await cache.save(key, { facts: facts === undefined ? record.facts : facts, arrays: record.arrays } as CacheRecord);
}

const indicesOf = (array: Uint8Array): Uint32Array => new Uint32Array(array.slice().buffer);
const bytesOf = (indices: Uint32Array | number[]): Uint8Array => new Uint8Array(Uint32Array.from(indices).buffer);

async function expectDamagedOnce(load: () => Promise<{ report: Groth16Key['report'] }>): Promise<void> {
  await open();
  expect((await load()).report.cached).toBe(false);
  expect(notices.map(({ code }) => code)).toEqual(['CACHE_DAMAGED']);
  await open();
  expect((await load()).report.cached).toBe(true);
  expect(notices).toEqual([]);
}

describe("a key's record in the cache that was changed", () => {
  const load = (): Promise<Groth16Key> => prover!.groth16.loadKey(circuit.zkey);

  it('holds neither facts nor header points, nor the constraints: they come from the file', async () => {
    fill();
    await poison(({ facts, arrays }) => {
      expect(Object.keys(facts).sort()).toEqual(['A', 'B1', 'B2', 'C', 'H']);
      for (const name of Object.keys(arrays)) expect(name).toMatch(/^(A|B1|B2|C|H)\.(points|indices)$/);
      // What an earlier version read.
      const infinity = Array.from({ length: 64 }, () => 0);
      return { ...facts, facts: { variables: 1 }, points: { alpha1: infinity, beta1: infinity, delta1: infinity } };
    });
    await open();
    const key = await load();
    expect(key.report.cached).toBe(true);
    expect(key.variables).toBeGreaterThan(1);
    const [one, two] = [await prover!.groth16.prove(key, witness), await prover!.groth16.prove(key, witness)];
    expect(await prover!.groth16.verify(circuit.verificationKey, one.publicSignals, one.proof)).toBe(true);
    expect(one.proof.pi_a).not.toEqual(two.proof.pi_a);
  });

  it.each<[name: string, change: (record: Loose) => unknown]>([
    ['are null', () => null],
    ['are a number', () => 7],
    ['are a list', () => [1, 2]],
    ['are empty', () => ({})],
    ['lack a vector', ({ facts: { H: _, ...rest } }) => rest],
    ['have a vector that is null', ({ facts }) => ({ ...facts, A: null })],
    ['have a count that is text', ({ facts }) => ({ ...facts, A: { ...facts.A, kept: '3' } })],
    ['have a negative count', ({ facts }) => ({ ...facts, A: { ...facts.A, kept: -1 } })],
    ['have a broken count', ({ facts }) => ({ ...facts, A: { ...facts.A, kept: 1.5 } })],
    ['have a huge count', ({ facts }) => ({ ...facts, A: { ...facts.A, kept: 2 ** 53 } })],
    ['have one point less', ({ facts }) => ({ ...facts, H: { ...facts.H, kept: facts.H!.kept - 1 } })],
    ['lack the exceptional points', ({ facts }) => ({ ...facts, A: { kept: facts.A!.kept } })],
    ['have exceptional points that are no list', ({ facts }) => ({ ...facts, A: { ...facts.A, exceptional: 'none' } })],
    ['have an exceptional point', ({ facts }) => ({ ...facts, B1: { ...facts.B1, exceptional: [0] } })],
  ])('is prepared again when its facts %s', async (_, change) => {
    fill();
    await poison(change);
    await expectDamagedOnce(load);
  });

  it.each<[name: string, change: (record: Loose) => void]>([
    ['lacks its points', ({ arrays }) => delete arrays['A.points']],
    ['has points of another length', ({ arrays }) => Object.assign(arrays, { 'A.points': new Uint8Array(65) })],
    [
      'drops all points of B1',
      ({ facts, arrays }) => {
        facts.B1!.kept = 0;
        Object.assign(arrays, { 'B1.points': new Uint8Array(0), 'B1.indices': new Uint8Array(0) });
      },
    ],
    [
      'drops the last point of H',
      ({ facts, arrays }) => {
        const kept = --facts.H!.kept;
        arrays['H.points'] = arrays['H.points']!.subarray(0, 64 * kept);
        arrays['H.indices'] = bytesOf(Array.from({ length: kept }, (_, i) => i));
      },
    ],
    ['lacks indices', ({ arrays }) => delete arrays['B1.indices']],
    ['has indices that it does not need', ({ arrays }) => Object.assign(arrays, { 'H.indices': new Uint8Array(8) })],
    [
      'has exchanged indices',
      ({ arrays }) => {
        arrays['B1.indices'] = bytesOf(indicesOf(arrays['B1.indices']!).toReversed());
      },
    ],
    [
      'repeats an index',
      ({ arrays }) => {
        const indices = indicesOf(arrays['B1.indices']!);
        indices[1] = indices[0]!;
        arrays['B1.indices'] = bytesOf(indices);
      },
    ],
    [
      'has an index beyond the end',
      ({ arrays }) => {
        const indices = indicesOf(arrays['B1.indices']!);
        indices[indices.length - 1] = 2 ** 32 - 1;
        arrays['B1.indices'] = bytesOf(indices);
      },
    ],
    [
      'takes a point at infinity for another',
      ({ arrays }) => {
        const indices = indicesOf(arrays['B1.indices']!);
        const gap = indices.findIndex((index, i) => index !== i);
        indices[gap === -1 ? indices.length - 1 : gap] = gap === -1 ? indices.length : gap;
        arrays['B1.indices'] = bytesOf(indices);
      },
    ],
  ])('is prepared again when it %s', async (_, change) => {
    fill();
    await poison((record) => void change(record));
    await expectDamagedOnce(load);
  });
});

function flip(array: Uint8Array, at: number): void {
  array[at]! ^= 1;
}

/** Changes of points, which take 64 bytes each in G1. */
const changes: readonly [name: string, change: (arrays: Record<string, Uint8Array>) => unknown][] = [
  ['shifted by one place', (arrays) => arrays['A.points']!.copyWithin(64, 0)],
  ['of another vector', (arrays) => arrays['H.points']!.set(arrays['A.points']!.subarray(0, 128))],
  ['off the curve', (arrays) => flip(arrays['C.points']!, 3)],
  ['of G2 off the curve', (arrays) => flip(arrays['B2.points']!, 3)],
  ['with coordinates out of range', (arrays) => arrays['A.points']!.fill(255)],
  ['that are zero', (arrays) => arrays['A.points']!.fill(0)],
];
const [[, shifted]] = changes as [(typeof changes)[number]];

describe("a key's points that were changed in the cache", () => {
  const load = (precompute: number | 'auto' = 1): Promise<Groth16Key> =>
    prover!.groth16.loadKey(circuit.zkey, { precompute });
  const codes = (): string[] => notices.map(({ code }) => code);
  /** The proof of a caller who does not verify it himself. */
  const prove = async (key: Groth16Key): Promise<void> => {
    const { proof, publicSignals } = await prover!.groth16.prove(key, witness);
    expect(await prover!.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  };
  /** What a later visit finds is right. */
  const expectMended = async (): Promise<void> => {
    await open();
    const key = await load();
    expect(key.report.cached).toBe(true);
    await prove(key);
    expect(codes()).toEqual([]);
  };

  it.each(changes)('are prepared anew within the first proof: points %s', async (_, change) => {
    fill();
    await poison(({ arrays }) => void change(arrays));
    await open();
    const key = await load();
    expect(key.report.cached).toBe(true);
    await prove(key);
    expect(codes()).toEqual(['CACHE_DAMAGED']);
    await prove(key);
    expect(codes()).toEqual(['CACHE_DAMAGED']);
    await expectMended();
  });

  it('are prepared anew once for several proofs at the same time', async () => {
    fill();
    await poison(({ arrays }) => void shifted(arrays));
    await open();
    const key = await load();
    await Promise.all([prove(key), prove(key), prove(key)]);
    expect(new Set(codes())).toEqual(new Set(['CACHE_DAMAGED']));
    await expectMended();
  });

  it('are prepared anew after a first proof was aborted that had begun to', async () => {
    fill();
    await poison(({ arrays }) => void shifted(arrays));
    await open();
    const key = await load();
    const abort = new AbortController();
    const first = prover!.groth16.prove(key, witness, {
      signal: abort.signal,
      onProgress: (event) => event.kind === 'progress' && event.phase === 'prepare' && abort.abort(),
    });
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    await prove(key);
    expect(codes()).toEqual(['CACHE_DAMAGED']);
    await expectMended();
  });

  it('give no notice when it is the witness that is wrong', async () => {
    fill();
    await open();
    const key = await load();
    const wrong = witness.slice();
    wrong[wrong.length - 32]! ^= 1;
    await expect(prover!.groth16.prove(key, wrong)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    await prove(key);
    expect(codes()).toEqual([]);
    await expectMended();
  });

  it('are deleted from the cache when their file can be read no more', async () => {
    fill();
    await poison(({ arrays }) => void shifted(arrays));
    let isGone = false;
    prover = await inPlaceProver(
      { backend: 'wasm', threads: 1, cache: true },
      {
        openStore: async () => store,
        openFile: async () => ({
          size: circuit.zkey.length,
          read: async (offset, length) => {
            if (isGone) throw new PippinError('IO_FAILED', 'expected the file, got nothing');
            return circuit.zkey.slice(offset, offset + length) as Uint8Array<ArrayBuffer>;
          },
          close: async () => undefined,
        }),
      },
    );
    const key = await prover.groth16.loadKey('key.zkey');
    isGone = true;
    await expect(prover.groth16.prove(key, witness)).rejects.toMatchObject({
      code: 'PROOF_INVALID',
      hint: expect.stringContaining('load them again'),
    });
    expect([...store.chunks.keys()]).toEqual([]);
  });

  it.each([4, 'auto'] as const)('are prepared anew when it is their multiples: precompute %s', async (precompute) => {
    store = new FaultyStore();
    await open();
    const first = await load(4);
    await prove(first);
    await prover!.dispose();
    const cache = new PreparedCache(store);
    const names = [...store.chunks.keys()].filter((name) => name.includes('/multiples/') && name.endsWith('#manifest'));
    expect(names).not.toEqual([]);
    for (const name of names) {
      const key = name.slice(0, -'#manifest'.length);
      const outcome = await cache.load(key);
      if (outcome.kind !== 'hit') throw new Error(`expected a record, got ${outcome.kind}`);
      const { facts, arrays } = outcome.record;
      await cache.save(key, { facts, arrays: { multiples: arrays.multiples!.slice().reverse() } });
    }
    await open();
    const key = await load(precompute);
    expect(key.report.cached).toBe(true);
    await prove(key);
    await prove(key);
    // Vectors this small get no multiples by themselves.
    expect(codes()).toEqual(precompute === 4 ? ['CACHE_DAMAGED'] : []);
    await expectMended();
  });

  it('are not looked at where the caller verifies nothing, unless a sum is off the curve', async () => {
    fill();
    await poison(({ arrays }) => flip(arrays['C.points']!, 3));
    await open();
    const { proof, publicSignals } = await prover!.groth16.prove(await load(), witness, { verify: false });
    expect(await prover!.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
    expect(codes()).toEqual(['CACHE_DAMAGED']);
  });
});

describe('a record of bases that was changed', () => {
  const twoTorsion = [bls12377.fq.modulus - 1n, 0n] as const;
  const { points, factors } = progression(bls12377, 3, 3n, 1n);
  const all = [points[0], twoTorsion, undefined, points[1], points[2], undefined];
  const logs = [factors[0]!, 0n, 0n, factors[1]!, factors[2]!, 0n];
  const load = () =>
    prover!.loadBases({ curve: 'bls12-377', points: encodePoints(bls12377, all), checkSubgroup: false });

  it('still gives exceptional points, which come from the file', async () => {
    store = new FaultyStore();
    await open();
    await load();
    await poison(({ facts, arrays }) => {
      expect(facts).toEqual({ kept: 3, exceptional: [1] });
      expect(Object.keys(arrays)).toEqual(['bases.points', 'bases.indices']);
    });
    await open();
    const bases = await load();
    expect(bases.report.cached).toBe(true);
    const scalars = [5n, 2n, 7n, 8n, 9n, 1n];
    const { x, y } = await prover!.msm(bases, encodeScalars(scalars));
    expect([x, y]).toEqual(multipleOf(bls12377, dot(logs, scalars)));
  });

  it.each<[name: string, facts: unknown]>([
    ['forgets an exceptional point', { kept: 3, exceptional: [] }],
    ['takes an infinity for an exceptional point', { kept: 3, exceptional: [1, 2] }],
    ['takes a kept point for an exceptional one', { kept: 3, exceptional: [0, 1] }],
    ['has exceptional points out of order', { kept: 3, exceptional: [1, 1] }],
    ['has an exceptional point beyond the end', { kept: 3, exceptional: [1, 6] }],
    ['has a broken index', { kept: 3, exceptional: [1.5] }],
  ])('is prepared again when it %s', async (_, facts) => {
    store = new FaultyStore();
    await open();
    await load();
    await poison(() => facts);
    await expectDamagedOnce(load);
  });

  it('is prepared again within the first sum that shows that it has a point off the curve', async () => {
    store = new FaultyStore();
    await open();
    await load();
    await poison(({ arrays }) => flip(arrays['bases.points']!, 3));
    const scalars = [5n, 2n, 7n, 8n, 9n, 1n];
    const expected = multipleOf(bls12377, dot(logs, scalars));
    for (const codes of [['CACHE_DAMAGED'], []]) {
      await open();
      const bases = await load();
      expect(bases.report.cached).toBe(true);
      const { x, y } = await prover!.msm(bases, encodeScalars(scalars));
      expect([x, y]).toEqual(expected);
      expect(notices.map(({ code }) => code)).toEqual(codes);
    }
  });

  it('is prepared again when it is one of points without infinities', async () => {
    store = new FaultyStore();
    await open();
    const plain = encodePoints(bn254, progression(bn254, 2, 3n, 1n).points);
    const loadPlain = () => prover!.loadBases({ curve: 'bn254', points: plain });
    await loadPlain();
    await poison(({ arrays }) => {
      Object.assign(arrays, { 'bases.points': arrays['bases.points']!.subarray(64), 'bases.indices': bytesOf([1]) });
      return { kept: 1, exceptional: [] };
    });
    await expectDamagedOnce(loadPlain);
  });
});
