import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, MapRow, MsmOptions, PerformanceMap, Prover, ProverOptions } from '../../../sdk/api/index.js';
import { fullWork } from '../../../sdk/bases/scalar-work.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { MAP_FORMAT } from '../../../sdk/engine/tune/performance-map.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { expectedSum, type KnownPoints, randomPoints } from '../../support/msm-reference.js';
import { encodePoints, encodeScalars } from '../../support/points.js';
import { Random } from '../../support/random.js';
import { virtualGpu } from './virtual-gpu.js';

const COUNT = 16;
const R = bn254.fr.modulus;
const HALF = (R - 1n) / 2n;

/** A row of 16 points, whose sparse scalars are 16 additions. */
const row = (sparseMs: number, ms: number): MapRow => ({
  curve: 'bn254',
  group: 'g1',
  points: COUNT,
  work: fullWork('bn254', COUNT),
  ms,
  checkedMs: ms,
  sparse: { work: COUNT, ms: sparseMs, checkedMs: sparseMs },
});

/** Workers that are faster up to the work of 6 full-size scalars: 16 + (256 - 16) x 5 / (5 + 10) = 96 additions. */
const MAP: PerformanceMap = {
  format: MAP_FORMAT,
  made: '',
  platform: '',
  workers: { threads: 1, rows: [row(5, 30)] },
  gpu: { adapter: 'test', products: 'limbs', rows: [row(10, 20)] },
};

let known: KnownPoints;
const provers: Prover[] = [];
beforeAll(() => {
  known = randomPoints('bn254', COUNT, new Random(8));
});
afterEach(async () => {
  await Promise.all(provers.splice(0).map((prover) => prover.dispose()));
});

async function open(options: ProverOptions = {}, partOf?: (key: string) => number) {
  const { gpu } = await virtualGpu({ isSoftware: options.backend === 'webgpu', partOf });
  const notices: string[] = [];
  const onNotice = ({ code }: { readonly code: string }) => notices.push(code);
  const prover = await inPlaceProver(
    { backend: 'auto', threads: 1, performanceMap: MAP, onNotice, ...options },
    { gpu: async () => gpu },
  );
  provers.push(prover);
  const points = encodePoints(bn254, known.points);
  const bases = await prover.loadBases({ curve: 'bn254', points });
  if (options.backend === undefined) {
    await prover.msm(bases, encodeScalars(Array(COUNT).fill(0n)));
    await expect.poll(() => notices).toContain('WEBGPU_READY');
  }
  return { prover, bases, notices };
}

/** What computes the MSM, whose result must be right. */
async function placeOf(prover: Prover, bases: Bases, scalars: readonly bigint[], options: MsmOptions = {}) {
  const { bytes, report } = await prover.msm(bases, encodeScalars(scalars), options);
  expect(bytes).toEqual(encodePoint('bn254', 'g1', expectedSum('bn254', known.logs, scalars)));
  return report.backend;
}

/** So many full-size scalars, and others. */
const mixed = (full: number, others: bigint) =>
  Array.from({ length: COUNT }, (_, i) => (i < full ? HALF - BigInt(i) : others));

describe('MSMs over bases on the GPU and the workers', () => {
  it('are computed by the workers up to the work at which these are faster, and right by either', async () => {
    const { prover, bases } = await open();
    for (const check of ['curve', 'random'] as const) {
      const places: (string | undefined)[] = [];
      for (const scalars of [
        mixed(0, 0n),
        mixed(0, 1n),
        mixed(0, R - 1n),
        mixed(1, 0n),
        mixed(6, 0n),
        mixed(6, 1n),
        mixed(16, 0n),
      ]) {
        places.push(await placeOf(prover, bases, scalars, { check }));
      }
      expect(places).toEqual(['wasm', 'wasm', 'wasm', 'wasm', 'wasm', 'webgpu', 'webgpu']);
    }
  });

  it('move to the GPU and never back as scalars get denser', async () => {
    const { prover, bases } = await open();
    const places: (string | undefined)[] = [];
    for (let full = 0; full <= COUNT; full++)
      places.push(await placeOf(prover, bases, mixed(full, 1n), { check: 'curve' }));
    const first = places.indexOf('webgpu');
    expect(first).toBe(6);
    expect(places.slice(first)).toEqual(Array(COUNT + 1 - first).fill('webgpu'));
  });

  it('count the work of a batch together, and constant work as full-size scalars', async () => {
    const { prover, bases } = await open();
    const sparse = encodeScalars([...mixed(2, 0n), ...mixed(1, 1n)]);
    const { points, report } = await prover.msmBatch(bases, sparse, { batchSize: 2, check: 'curve' });
    // For two MSMs the bound is twice as high.
    expect(report.backend).toBe('wasm');
    const expected = [mixed(2, 0n), mixed(1, 1n)].map((scalars) =>
      encodePoint('bn254', 'g1', expectedSum('bn254', known.logs, scalars)),
    );
    expect(points.map(({ bytes }) => bytes)).toEqual(expected);
    const dense = encodeScalars([...mixed(12, 0n), ...mixed(1, 1n)]);
    expect((await prover.msmBatch(bases, dense, { batchSize: 2, check: 'curve' })).report.backend).toBe('webgpu');
    expect(await placeOf(prover, bases, mixed(0, 1n), { constantWork: true, check: 'curve' })).toBe('webgpu');
  });

  it('are not placed where a comparison needs both, or each MSM has its own bases', async () => {
    const { prover, bases } = await open();
    expect(await placeOf(prover, bases, mixed(0, 1n), { check: 'recompute' })).toBe('webgpu');
    const scalars = encodeScalars(mixed(0, 1n));
    const { report } = await prover.msmBatch(bases, scalars, { batchSize: 2, sharedBases: false, check: 'curve' });
    expect(report.backend).toBe('webgpu');
  });

  it('are all computed by the executor that a caller asks for, or that was not measured against another', async () => {
    const required = await open({ backend: 'webgpu' });
    expect(await placeOf(required.prover, required.bases, mixed(0, 1n))).toBe('webgpu');
    const alone = await open({ backend: 'wasm' });
    expect(await placeOf(alone.prover, alone.bases, mixed(16, 1n))).toBe('wasm');
    const others: PerformanceMap = { ...MAP, workers: { ...MAP.workers, threads: 2 } };
    for (const performanceMap of [others, { ...MAP, gpu: { ...MAP.gpu!, adapter: 'another' } }]) {
      const unmeasured = await open({ performanceMap });
      expect(await placeOf(unmeasured.prover, unmeasured.bases, mixed(0, 1n))).toBe('webgpu');
    }
    // Where memory is limited there is one copy of the bases.
    const limited = await open({ memoryBudget: 2 ** 28 });
    expect(await placeOf(limited.prover, limited.bases, mixed(0, 1n))).toBe('webgpu');
  });

  it('are the workers’ once the GPU is distrusted', async () => {
    let isWrong = false;
    const { prover, bases, notices } = await open({}, (key) => (isWrong && key.startsWith('accumulate') ? 0 : 1));
    expect(await placeOf(prover, bases, mixed(16, 1n))).toBe('webgpu');
    isWrong = true;
    expect(await placeOf(prover, bases, mixed(16, 1n))).toBe('wasm');
    expect(notices).toContain('WEBGPU_DISTRUSTED');
    expect(await placeOf(prover, bases, mixed(16, 1n))).toBe('wasm');
    expect(await placeOf(prover, bases, mixed(0, 1n))).toBe('wasm');
  });

  it('refuse a scalar that is not below r wherever they would be computed', async () => {
    const { prover, bases } = await open();
    for (const full of [0, 16]) {
      const scalars = [...mixed(full, 1n).slice(1), R];
      await expect(prover.msm(bases, encodeScalars(scalars))).rejects.toMatchObject({ code: 'INVALID_SCALAR' });
    }
  });
});
