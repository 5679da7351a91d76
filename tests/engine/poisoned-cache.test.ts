import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Key, Prover } from '../../sdk/api.js';
import { type CacheRecord, PreparedCache } from '../../sdk/cache/prepared-cache.js';
import { bls12377, bn254 } from '../../sdk/curves/index.js';
import type { Notice } from '../../sdk/progress.js';
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
beforeAll(async () => {
  circuit = await testCircuit('chain');
  witness = await snarkjsWitness(circuit);
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

/** Ends the prover, so that its record is complete, and writes the one record of the store anew, with hashes that fit. */
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
  const fill = async (): Promise<void> => {
    store = new FaultyStore();
    await open();
    await load();
  };

  it('holds neither facts nor header points, nor the constraints: they come from the file', async () => {
    await fill();
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
    await fill();
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
    await fill();
    await poison((record) => void change(record));
    await expectDamagedOnce(load);
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
