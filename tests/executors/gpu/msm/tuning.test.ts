import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowCount } from '../../../../sdk/bases/digits.js';
import { HeldMultiples } from '../../../../sdk/bases/precompute.js';
import { hostScalars } from '../../../../sdk/bases/scalar-vector.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { GpuScalars } from '../../../../sdk/executors/gpu/gpu-scalars.js';
import { type GpuBases, GpuMsm, type GpuMultiplyOptions } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { firstOf } from '../../../support/combinations.js';
import { evaluateWindows, expectedSum, packBases, randomPoints } from '../../../support/msm-reference.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';
import { sharedDevice } from '../test-device.js';

const COUNT = 300;

/** A tuning, and what it makes of the plan. Where the plan stays, it changes the kernels or where digits come from. */
const TUNINGS: readonly (readonly [GpuMultiplyOptions, Partial<MsmPlan>])[] = [
  [{ windowBits: 7 }, { windowBits: 7 }],
  [
    { windowBits: 4, largeBucketFactor: 1 },
    { pieceLength: 38, fullLength: 38 },
  ],
  [
    { windowBits: 4, largeBucketFactor: 2.5 },
    { pieceLength: 94, fullLength: 47 },
  ],
  [{ chunks: 1 }, { chunkPoints: COUNT }],
  [{ chunks: 7 }, { chunkPoints: 43 }],
  // One point a chunk would be 300 chunks: too many for a software adapter.
  [
    { chunks: 20, windowBits: 9 },
    { chunkPoints: 15, windowBits: 9 },
  ],
  [{ reduction: 'cross-window' }, { reduction: 'merged' }],
  [{ accumulation: 'bytes' }, {}],
  [{ accumulation: 'limbs' }, {}],
  [{ digits: 'gpu' }, {}],
  [{ digits: 'workers' }, {}],
  [{ digits: 'workers', chunks: 3, accumulation: 'bytes' }, { chunkPoints: 100 }],
];

describe.each(firstOf(['bn254', 'bls12-377'] as const))('tuned sums over %s', (curve) => {
  const { modulus, bits } = CURVES[curve].fr;
  const random = new Random(41);
  const { points, logs } = randomPoints(curve, COUNT, random);
  // Half of them are equal, so that there are large buckets.
  const scalars = points.map((_, i) => (i === 0 ? modulus - 1n : i % 2 === 0 ? 12_345n : random.below(modulus)));
  let gpu: GpuDevice;
  let kernel: Kernel;
  let msm: GpuMsm;
  let bases: GpuBases;
  let cut = 0;

  beforeAll(async () => {
    gpu = await sharedDevice();
    kernel = await loadKernel(curve);
    const cutDigits: typeof kernel.cutDigits = (request) => {
      cut++;
      return kernel.cutDigits(request);
    };
    msm = await GpuMsm.create(gpu, curve, 'g1', { cutDigits });
    bases = await msm.load(packBases(curve, points));
  });
  afterAll(() => msm.destroy());

  const sumOf = async (numbers: readonly bigint[], options: GpuMultiplyOptions) => {
    const parts = await msm.multiply(bases, encodeScalars(numbers), options);
    if (parts.kind !== 'windows') throw new Error('expected windows');
    return evaluateWindows(curve, parts.sums, parts.windowBits);
  };

  it.each(TUNINGS)('%o gives the plan %o, and the sum', async (tuning, plan) => {
    expect(msm.plan(bases, tuning)).toMatchObject(plan);
    cut = 0;
    expect(await sumOf(scalars, tuning)).toEqual(expectedSum(curve, logs, scalars));
    expect(cut).toBe(tuning.digits === 'workers' ? (tuning.chunks ?? 1) : 0);
  });

  it('gives the sums of a batch over bases with multiples, by any combination', async () => {
    const pick = <Choice>(choices: readonly Choice[]): Choice => choices[random.integer(choices.length)]!;
    for (let round = 0; round < 4; round++) {
      const asked = { windowBits: 6 + random.integer(4), reduction: pick(['merged', 'cross-window'] as const) };
      const { plan } = await msm.planMultiples(COUNT, COUNT, 2 + random.integer(6), asked);
      const prepared = packBases(curve, points);
      const { group, form } = prepared;
      const made = (await kernel.multiples({ group, form, points: prepared.points, ...plan! }))!;
      const resident = await msm.load({
        ...prepared,
        multiples: new HeldMultiples('webgpu', plan!, made),
      });
      const tuning: GpuMultiplyOptions = {
        ...asked,
        chunks: 1 + random.integer(5),
        largeBucketFactor: 1 + random.integer(4) / 2,
        digits: pick(['gpu', 'workers']),
      };
      expect(msm.plan(resident, tuning)).toMatchObject({ ...plan!, reduction: asked.reduction });
      const rows = [scalars, scalars.toReversed()];
      const batch = await msm.multiplyBatch(resident, hostScalars(encodeScalars(rows.flat())), 2, tuning);
      const sums = batch.map((parts) => parts.kind === 'windows' && evaluateWindows(curve, parts.sums, 1));
      expect({ tuning, sums }).toEqual({ tuning, sums: rows.map((row) => expectedSum(curve, logs, row)) });
      resident.release();
    }
  });

  it('takes digits of short scalars from the workers', async () => {
    const short = scalars.map((scalar) => scalar & 0xfffn);
    const options = { digits: 'workers', scalarBits: 12 } as const;
    expect(msm.plan(bases, { ...options, windowBits: 5 }).windows).toBe(windowCount(12, 5));
    expect(await sumOf(short, { ...options, windowBits: 5 })).toEqual(expectedSum(curve, logs, short));
    expect(windowCount(12, 5)).toBeLessThan(windowCount(bits, 5));
  });

  it('adds bases by the products that a call names', async () => {
    const used: string[] = [];
    const { pipelines } = gpu;
    const watched = {
      get: (key: string, ...rest: [never, never]) => {
        used.push(key);
        return pipelines.get(key, ...rest);
      },
    };
    const device = Object.create(gpu, { pipelines: { value: watched } }) as GpuDevice;
    const own = await GpuMsm.create(device, curve, 'g1');
    const resident = await own.load(packBases(curve, points));
    const byBytes = () => used.some((key) => key === `accumulate ${curve} g1 bytes`);
    await own.multiply(resident, encodeScalars(scalars), {});
    expect(byBytes()).toBe(false);
    await own.multiply(resident, encodeScalars(scalars), { accumulation: 'bytes' });
    expect(byBytes()).toBe(true);
    own.destroy();
  });

  it('refuses what the device does not have, and digits of scalars that the workers do not see', async () => {
    const plain = Object.create(gpu, { possibleProducts: { value: ['limbs'] } }) as GpuDevice;
    const own = await GpuMsm.create(plain, curve, 'g1');
    const resident = await own.load(packBases(curve, points));
    await expect(own.multiply(resident, encodeScalars(scalars), { accumulation: 'bytes' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: "expected accumulation 'limbs' on this GPU, got 'bytes'",
    });
    await expect(own.multiply(resident, encodeScalars(scalars), { digits: 'workers' })).rejects.toMatchObject({
      code: 'INTERNAL',
    });
    own.destroy();
    const there = await GpuScalars.upload(gpu, encodeScalars(scalars), undefined);
    await expect(msm.multiplyBatch(bases, there, 1, { digits: 'workers' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: "expected digits 'gpu' for scalars that lie on the GPU, got 'workers'",
    });
    there.release();
  });
});
