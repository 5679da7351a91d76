import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BasesToLoad, MultiplyOptions } from '../../../../sdk/bases/backend.js';
import { windowCount } from '../../../../sdk/bases/digits.js';
import type { MultiplesPlan, Reduction } from '../../../../sdk/bases/multiples.js';
import { HeldMultiples } from '../../../../sdk/bases/precompute.js';
import { type PreparedBases, pointForm } from '../../../../sdk/bases/prepared.js';
import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import { msmKernelCode, msmKernelKey } from '../../../../sdk/executors/gpu/msm/compose.js';
import { type DigitInput, digitInput, scalarInput } from '../../../../sdk/executors/gpu/msm/digit-input.js';
import type { BaseRun } from '../../../../sdk/executors/gpu/msm/gpu-bases.js';
import { type GpuBases, GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { scratchLayout } from '../../../../sdk/executors/gpu/msm/msm-memory.js';
import { cutChunks, MSM_KERNELS, submitMultiplication } from '../../../../sdk/executors/gpu/msm/msm-steps.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import { planMsm } from '../../../../sdk/executors/gpu/msm/planner.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import type { MsmBuffer } from '../../../../sdk/executors/gpu/msm/stages/msm-stage.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { BufferUsage } from '../../../../sdk/executors/gpu/runtime/flags.js';
import { Pace } from '../../../../sdk/executors/gpu/runtime/pace.js';
import type { StagePipeline } from '../../../../sdk/executors/gpu/runtime/pipelines.js';
import { Scratch } from '../../../../sdk/executors/gpu/runtime/scratch.js';
import type { GpuKernel } from '../../../../sdk/executors/gpu/runtime/stage.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { firstOf } from '../../../support/combinations.js';
import { type AffinePoint, multiplyAffine } from '../../../support/curve-reference.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { evaluateWindows, expectedSum, packBases, randomPoints } from '../../../support/msm-reference.js';
import { NOBLE_GROUPS } from '../../../support/noble-groups.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';
import { sharedDevice } from '../test-device.js';
import { digitsReference, scalarWords } from './sort-reference.js';

const COUNT = 60;
const WINDOW_BITS = 9;
const REDUCTIONS: readonly Reduction[] = ['merged', 'cross-window'];

/**
 * Sums over bases whose multiples 2^(j G c) P lie behind the points, so that several windows share a row of buckets.
 */
describe.each(firstOf(['bn254', 'bls12-377'] as const))('a plan with multiples of the points of %s', (curve) => {
  const { fr } = CURVES[curve];
  const random = new Random(31);
  const { points, logs } = randomPoints(curve, COUNT, random);
  const scalars = points.map((_, i) => (i === 0 ? fr.modulus - 1n : i === 1 ? 0n : random.below(fr.modulus)));
  const scalarBytes = new Uint8Array(scalarWords(scalars).buffer);
  const expected = expectedSum(curve, logs, scalars);
  const made: { destroy(): void }[] = [];

  afterAll(() => {
    for (const each of made) each.destroy();
  });

  function planFor(multiples: number, reduction: Reduction): MsmPlan {
    return planMsm({
      points: COUNT,
      batch: 1,
      digitsFrom: 'scalars',
      pointsPerBuffer: COUNT,
      scalarBits: fr.bits,
      sumBytes: pointLayout(curve, 'g1').sumBytes,
      memoryBudget: 2 ** 30,
      maxBufferBytes: 2 ** 27,
      concurrency: 16,
      uploadCost: 0,
      windowBits: WINDOW_BITS,
      multiples,
      reduction,
    });
  }

  /** A buffer of the points `from` to `to` - 1, and behind them their multiples. */
  function baseBuffer(gpu: GpuDevice, { multiples, rows }: MsmPlan, from: number, to: number) {
    const factors = Array.from({ length: multiples }, (_, j) => 1n << BigInt(j * rows * WINDOW_BITS));
    const all = factors.flatMap((factor) =>
      points.slice(from, to).map((point) => multiplyAffine(CURVES[curve], point, factor)!),
    );
    const contents = packBases(curve, all).points;
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_DST;
    const buffer = gpu.device.createBuffer({ size: contents.byteLength, usage });
    gpu.device.queue.writeBuffer(buffer, 0, contents);
    made.push(buffer);
    return { buffer, first: 0, points: to - from, multipleStride: to - from };
  }

  async function sumBy(
    plan: MsmPlan,
    runs: readonly BaseRun[],
    input: DigitInput = scalarInput(scalarBytes, plan.scalarBytes),
  ): Promise<AffinePoint> {
    const gpu = await sharedDevice();
    const scratch = new Scratch<MsmBuffer>(gpu);
    made.push(scratch);
    await scratch.prepare(scratchLayout(plan), Number.POSITIVE_INFINITY);
    const { finished } = await submitMultiplication(
      gpu,
      { plan, chunks: cutChunks(plan, runs), input },
      {
        pipelines: await pipelines(gpu, curve),
        scratch,
        pace: new Pace(true),
        limbs: pointLayout(curve, 'g1').limbs,
        stageTimer: undefined,
        signal: undefined,
        onProgress: undefined,
      },
    );
    const { sums } = await finished;
    expect(sums.length).toBe(plan.rows * plan.windowBits * plan.sumBytes);
    return evaluateWindows(curve, sums, 1);
  }

  it.each([2, 3].flatMap((multiples) => REDUCTIONS.map((reduction) => ({ multiples, reduction }))))(
    'gives the sum with $multiples multiples of each, $reduction',
    async ({ multiples, reduction }) => {
      const gpu = await sharedDevice();
      const plan = planFor(multiples, reduction);
      expect(plan.reduction).toBe(reduction);
      expect(plan.rows).toBe(Math.ceil(windowCount(fr.bits, WINDOW_BITS) / multiples));
      expect(await sumBy(plan, [baseBuffer(gpu, plan, 0, COUNT)])).toEqual(expected);
      // The same digits, cut elsewhere.
      const digits = digitInput(async (windowBits, from, to) =>
        digitsReference(scalars.slice(from, to), fr.bits, windowBits, 0, plan.windows),
      );
      expect(await sumBy({ ...plan, digitsFrom: 'digits' }, [baseBuffer(gpu, plan, 0, COUNT)], digits)).toEqual(
        expected,
      );
    },
  );

  it.each(REDUCTIONS)(
    'gives the sum in passes over some rows and chunks of points, from several buffers: %s',
    async (reduction) => {
      const gpu = await sharedDevice();
      const plan = { ...planFor(2, reduction), rowsPerPass: 4, chunkPoints: 16 };
      const buffers = [baseBuffer(gpu, plan, 0, 37), baseBuffer(gpu, plan, 37, COUNT)];
      expect(await sumBy(plan, buffers)).toEqual(expected);
      // One chunk: its scalars stay for the later passes.
      const whole = { ...plan, chunkPoints: COUNT };
      expect(await sumBy(whole, [baseBuffer(gpu, whole, 0, COUNT)])).toEqual(expected);
    },
  );
});

/** A group of each form on the GPU; one over another quadratic field takes it seconds to compile. */
const GROUPS = ['bn254 g1', 'bn254 g2', 'bls12-377 g1', ...(EVERY_COMBINATION ? ['bls12-377 g2'] : [])];

/** Bases that are loaded with their multiples. */
describe.each(NOBLE_GROUPS.filter(({ curve, group }) => GROUPS.includes(`${curve} ${group}`)))(
  'GpuMsm over $group of $curve with multiples',
  ({ curve, group, order, multiple, multiples }) => {
    const form = pointForm(curve, group);
    const random = new Random(32);
    const logs = Array.from({ length: COUNT }, (_, i) => (i === 0 ? order - 1n : random.below(order)));
    const scalars = logs.map((_, i) => (i === 1 ? order - 1n : random.below(order)));
    const expected = multiple(logs.reduce((sum, log, i) => sum + log * scalars[i]!, 0n));
    let kernel: Kernel;
    let bases: PreparedBases;
    let msm: GpuMsm;

    beforeAll(async () => {
      kernel = await loadKernel(curve);
      msm = await GpuMsm.create(await sharedDevice(), curve, group);
      const prepared = await kernel.prepareBases({ group, form, encoding: 'canonical', points: multiples(logs) });
      bases = { curve, group, form, count: COUNT, ...prepared };
    });
    afterAll(() => msm.destroy());

    const withMultiples = async (plan: MultiplesPlan): Promise<BasesToLoad> => {
      const points = (await kernel.multiples({ group, form, points: bases.points, ...plan }))!;
      return { ...bases, multiples: new HeldMultiples('webgpu', plan, points) };
    };

    const sumOf = async (on: GpuMsm, loaded: GpuBases, options?: MultiplyOptions): Promise<Uint8Array> => {
      const parts = await on.multiply(loaded, encodeScalars(scalars), options);
      if (parts.kind !== 'windows') throw new Error('expected windows');
      return kernel.reduceWindows({ group, form, sums: parts.sums, windowBits: parts.windowBits });
    };

    it('is right with one row, a short last group, and other windows', async () => {
      for (const wanted of [3, 32]) {
        const { plan, fits } = await msm.planMultiples(COUNT, COUNT, wanted);
        expect(fits).toBe(true);
        const loaded = await msm.load(await withMultiples(plan!));
        expect(msm.plan(loaded)).toMatchObject(plan!);
        expect(await sumOf(msm, loaded)).toEqual(expected);
        const windowBits = plan!.windowBits + 1;
        const others = msm.plan(loaded, { windowBits, reduction: 'cross-window' });
        expect(others).toMatchObject({ multiples: 1, windowBits, reduction: 'merged' });
        if (wanted === 3) expect(await sumOf(msm, loaded, { windowBits })).toEqual(expected);
        expect(msm.plan(loaded, { reduction: 'cross-window' })).toMatchObject({ ...plan!, reduction: 'cross-window' });
        expect(await sumOf(msm, loaded, { reduction: 'cross-window' })).toEqual(expected);
        loaded.release();
      }
    });

    it('cuts the bases into buffers that hold them with their multiples', async () => {
      const plan = { windowBits: 9, rows: Math.ceil(windowCount(CURVES[curve].fr.bits, 9) / 3), multiples: 3 };
      const { baseBytes } = pointLayout(curve, group);
      const gpu = await sharedDevice();
      // Room for 25 bases with their multiples in a buffer.
      const narrow = {
        maxStorageBufferBindingSize: 3 * 25 * baseBytes + 8,
        maxBufferSize: gpu.limits.maxBufferSize,
      };
      const limited = Object.create(gpu, { limits: { value: narrow } }) as GpuDevice;
      const cut = await GpuMsm.create(limited, curve, group, { memoryBudget: 2 ** 28 });
      const loaded = await cut.load(await withMultiples(plan));
      expect(loaded.buffers.map(({ points }) => points)).toEqual([20, 20, 20]);
      expect(loaded.bytes).toBe(3 * COUNT * baseBytes);
      cut.destroy();
    });

    it('takes multiples for the workers, or that were freed, for none', async () => {
      const plan = { windowBits: 9, rows: 15, multiples: 2 };
      const points = (await kernel.multiples({ group, form, points: bases.points, ...plan }))!;
      const freed = new HeldMultiples('webgpu', plan, points.slice());
      await freed.free();
      for (const other of [new HeldMultiples('wasm', plan, points), freed]) {
        const loaded = await msm.load({ ...bases, multiples: other });
        expect(loaded.multiples).toBeUndefined();
        expect(loaded.bytes).toBe(COUNT * pointLayout(curve, group).baseBytes);
        loaded.release();
      }
    });

    it('plans only what memory holds', async () => {
      const { baseBytes } = pointLayout(curve, group);
      const points = 2 ** 16;
      const little = await GpuMsm.create(await sharedDevice(), curve, group, { memoryBudget: 4 * points * baseBytes });
      const { plan, fits } = await little.planMultiples(points, points, 8);
      expect(fits).toBe(false);
      expect(plan!.multiples).toBeLessThan(4);
      expect(await little.planMultiples(points, 4 * points, 8)).toEqual({ plan: undefined, fits: false });
      expect(await little.planMultiples(points, 4 * points, 'auto')).toEqual({ plan: undefined, fits: true });
      expect(await little.planMultiples(points, points, 1)).toEqual({ plan: undefined, fits: true });
      const windowBits = 11;
      const named = await little.planMultiples(points, points, 2, { windowBits });
      expect(named.plan).toMatchObject({ windowBits, multiples: 2 });
      little.destroy();
    });
  },
);

async function pipelines(gpu: GpuDevice, curve: CurveId): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
  const compiled = MSM_KERNELS.map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
    const code = await msmKernelCode(curve, 'g1', kernel, 'limbs');
    return [kernel, await gpu.pipelines.get(msmKernelKey(curve, 'g1', kernel, 'limbs'), kernel, code)];
  });
  return new Map(await Promise.all(compiled));
}
