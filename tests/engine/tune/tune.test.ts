import { afterEach, describe, expect, it } from 'vitest';
import type { PerformanceMap, Prover, ProverOptions, TuneOptions } from '../../../sdk/api/index.js';
import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { BasesCache } from '../../../sdk/engine/bases-cache.js';
import { MAP_FORMAT } from '../../../sdk/engine/tune/performance-map.js';
import { sampleScalars } from '../../../sdk/engine/tune/sample-bases.js';
import { nodeEnginePlatform } from '../../../sdk/hosts/node/node-engine.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { createInPlace, inPlaceProver } from '../../support/in-place-prover.js';
import { ALL_CURVES } from '../../support/registry.js';

const provers: Prover[] = [];
afterEach(async () => {
  await Promise.all(provers.splice(0).map((prover) => prover.dispose()));
});

async function open(options: ProverOptions = {}, store = new FaultyStore()): Promise<Prover> {
  const prover = await inPlaceProver(
    { backend: 'wasm', threads: 1, cache: true, ...options },
    { openStore: async () => store },
  );
  provers.push(prover);
  return prover;
}

describe('tune', () => {
  it('measures each curve, and the next prover has the map until the cache is cleared', async () => {
    const store = new FaultyStore();
    const prover = await open({}, store);
    expect(await prover.performanceMap()).toBeUndefined();
    const progress: number[] = [];
    const map = await prover.tune({
      maxMs: 100,
      curves: ['edwards-bls12', 'bn254'],
      onProgress: (event) => event.kind === 'progress' && progress.push(event.done / event.total),
    });
    expect(map.workers.threads).toBe(1);
    expect(map.gpu).toBeUndefined();
    expect(new Set(map.workers.rows.map(({ curve }) => curve))).toEqual(new Set(['edwards-bls12', 'bn254']));
    for (const row of map.workers.rows) expect(row.ms).toBeGreaterThan(0);
    expect(progress.at(-1)).toBeCloseTo(1);
    // A prover plans in one way as long as it lives.
    expect(await prover.performanceMap()).toBeUndefined();
    const later = await open({}, store);
    expect(await later.performanceMap()).toEqual(map);
    await later.clearCache();
    expect(await (await open({}, store)).performanceMap()).toBeUndefined();
  });

  it('takes a map that the caller kept, and refuses anything else', async () => {
    const map: PerformanceMap = { format: MAP_FORMAT, made: '', platform: '', workers: { threads: 1, rows: [] } };
    expect(await (await open({ performanceMap: map })).performanceMap()).toEqual(map);
    for (const performanceMap of [1, 'map', {}, { ...map, format: 99 }, { ...map, workers: () => undefined }]) {
      await expect(createInPlace({ performanceMap })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('does without a map in the cache that is none', async () => {
    const store = new FaultyStore();
    const cache = await BasesCache.open(
      { ...nodeEnginePlatform, openStore: async () => store },
      { cache: true, storageBudget: undefined },
      () => undefined,
    );
    const map: PerformanceMap = { format: MAP_FORMAT, made: '', platform: '', workers: { threads: 1, rows: [] } };
    await cache.saveMap({ ...map, workers: { threads: 0, rows: [] } });
    expect(await (await open({}, store)).performanceMap()).toBeUndefined();
    await cache.saveMap(map);
    expect(await (await open({}, store)).performanceMap()).toEqual(map);
  });

  it('does without a map that is damaged', async () => {
    const store = new FaultyStore();
    await (await open({}, store)).tune({ maxMs: 100 });
    for (const name of await store.keys()) await store.set(name, new Uint8Array(80));
    expect(await (await open({}, store)).performanceMap()).toBeUndefined();
  });

  it.each<[string, object]>([
    ['too short a time', { maxMs: 99 }],
    ['too long a time', { maxMs: 600_001 }],
    ['a time that is no number', { maxMs: '3000' }],
    ['no curves', { curves: [] }],
    ['a curve twice', { curves: ['bn254', 'bn254'] }],
    ['an unknown curve', { curves: ['bn255'] }],
    ['curves that are no list', { curves: 'bn254' }],
  ])('refuses %s', async (_, options) => {
    await expect((await open()).tune(options as TuneOptions)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('can be aborted, and keeps nothing then', async () => {
    const store = new FaultyStore();
    const prover = await open({}, store);
    const controller = new AbortController();
    const tuning = prover.tune({ maxMs: 60_000, signal: controller.signal, onProgress: () => controller.abort() });
    await expect(tuning).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await store.keys()).toEqual([]);
    expect((await prover.tune({ maxMs: 100 })).workers.rows.length).toBeGreaterThan(0);
  });
});

it.each(ALL_CURVES)('sample scalars of $id are below its order', ({ id, fr, scalarBytes }) => {
  const scalars = sampleScalars(id, 4000);
  const values = Array.from({ length: 500 }, (_, i) => bytesToBigint(scalars, scalarBytes * 8 * i, scalarBytes));
  for (const value of values) expect(value).toBeLessThan(fr.modulus);
  expect(values.some((value) => value >> BigInt(fr.bits - 2) === 1n)).toBe(true);
});
