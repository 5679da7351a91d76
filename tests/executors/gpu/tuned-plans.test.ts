import { afterEach, describe, expect, it } from 'vitest';
import type { MapRow, PerformanceMap, Prover, ProverOptions } from '../../../sdk/api/index.js';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { MAP_FORMAT } from '../../../sdk/engine/tune/performance-map.js';
import { GpuMsm } from '../../../sdk/executors/gpu/msm/gpu-msm.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { packBases, randomPoints } from '../../support/msm-reference.js';
import { Random } from '../../support/random.js';
import { sharedDevice } from './test-device.js';
import { virtualGpu } from './virtual-gpu.js';

const row = (points: number, ms: number, windowBits?: number): MapRow => ({
  curve: 'bn254',
  group: 'g1',
  points,
  work: 16 * points,
  ms,
  ...(windowBits === undefined ? {} : { windowBits }),
});

/** A map of the virtual GPU, on which sums of four points take `ms` milliseconds, and those of one worker 10. */
const mapWith = (ms: number, threads = 1): PerformanceMap => ({
  format: MAP_FORMAT,
  made: '',
  platform: '',
  workers: { threads, rows: [row(4, 10)] },
  gpu: { adapter: 'test', products: 'limbs', rows: [row(4, ms, 5)] },
});

const provers: Prover[] = [];
afterEach(async () => {
  await Promise.all(provers.splice(0).map((prover) => prover.dispose()));
});

async function open(options: ProverOptions): Promise<{ prover: Prover; notices: string[] }> {
  const { gpu } = await virtualGpu({ isSoftware: options.backend === 'webgpu' });
  const notices: string[] = [];
  const prover = await inPlaceProver(
    { threads: 1, onNotice: ({ code }) => notices.push(code), ...options },
    { gpu: async () => gpu },
  );
  provers.push(prover);
  return { prover, notices };
}

/** Loads G four times and adds it up, and tells what computed the sum. */
async function sumOn(prover: Prover): Promise<string> {
  const points = joinBytes(Array(4).fill(encodePoint('bn254', 'g1', bn254.g1.generator)));
  const bases = await prover.loadBases({ curve: 'bn254', points });
  const one = bigintToBytes(1n, 32);
  const zero = new Uint8Array(32);
  const { x, report } = await prover.msm(bases, joinBytes([one, zero, zero, zero]));
  expect(x).toBe(bn254.g1.generator[0]);
  return report.backend;
}

describe('a performance map', () => {
  it('gives the GPU its windows, where the caller names none', async () => {
    const gpu = await sharedDevice();
    const measuredFor = (points: number) => (points === 4 ? { windowBits: 5, ms: 1 } : undefined);
    const msm = await GpuMsm.create(gpu, 'bn254', 'g1', { measuredFor });
    const usual = await GpuMsm.create(gpu, 'bn254', 'g1');
    const known = packBases('bn254', randomPoints('bn254', 8, new Random(3)).points);
    const four = await msm.load(known, { from: 0, to: 4 });
    const eight = await msm.load(known);
    expect(msm.plan(four).windowBits).toBe(5);
    expect(msm.plan(four, { windowBits: 7 }).windowBits).toBe(7);
    expect(msm.plan(eight)).toEqual(usual.plan(eight));
    expect(msm.usual(4).windowBits).toBe(5);
    // A window that costs many times what the model's does is not taken.
    const misled = await GpuMsm.create(gpu, 'bn254', 'g1', { measuredFor: () => ({ windowBits: 20, ms: 1 }) });
    expect(misled.plan(four)).toEqual(usual.plan(four));
    misled.destroy();
    for (const each of [msm, usual]) each.destroy();
  });

  it('sends sums that the workers compute clearly faster to them', async () => {
    for (const [performanceMap, expected] of [
      [mapWith(20), 'wasm'],
      [mapWith(5), 'webgpu'],
      // Measured with another number of workers.
      [mapWith(20, 2), 'webgpu'],
      // Measured on another GPU.
      [{ ...mapWith(20), gpu: { ...mapWith(20).gpu!, adapter: 'another' } }, 'webgpu'],
    ] as const) {
      const { prover, notices } = await open({ backend: 'auto', performanceMap });
      await sumOn(prover);
      await expect.poll(() => notices).toContain('WEBGPU_READY');
      expect(await sumOn(prover)).toBe(expected);
    }
    // Who asks for WebGPU gets it.
    const { prover } = await open({ backend: 'webgpu', performanceMap: mapWith(20) });
    expect(await sumOn(prover)).toBe('webgpu');
  });

  it('is made on the GPU and the workers by tune', async () => {
    const { prover } = await open({ backend: 'webgpu' });
    const { gpu, workers } = await prover.tune({ maxMs: 400 });
    expect(gpu).toMatchObject({ adapter: 'test', products: 'limbs' });
    for (const { windowBits, ms } of gpu!.rows) {
      expect(windowBits).toBeGreaterThanOrEqual(4);
      expect(ms).toBeGreaterThan(0);
    }
    expect(gpu!.rows[0]!.points).toBe(workers.rows[0]!.points);
  });

  it('is not made of a GPU that computes wrong', async () => {
    const { gpu } = await virtualGpu({ isSoftware: true, leavesOut: (key) => key.startsWith('fold') });
    const prover = await inPlaceProver({ backend: 'webgpu', threads: 1 }, { gpu: async () => gpu });
    provers.push(prover);
    await expect(prover.tune({ maxMs: 100 })).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    await expect.poll(() => prover.capabilities.webgpu.available).toBe(false);
  });
});
