import { afterAll, describe, expect, it } from 'vitest';
import { CURVES, type CurveId } from '../../../sdk/curves/index.js';
import { kernelCode, kernelKey } from '../../../sdk/gpu/msm/compose.js';
import { type DigitInput, digitInput, scalarInput } from '../../../sdk/gpu/msm/digit-input.js';
import { scratchLayout } from '../../../sdk/gpu/msm/msm-memory.js';
import type { MsmBuffer } from '../../../sdk/gpu/msm/msm-stage.js';
import { cutChunks, MSM_KERNELS } from '../../../sdk/gpu/msm/msm-steps.js';
import { submitMultiplication } from '../../../sdk/gpu/msm/multiplication.js';
import type { MsmPlan } from '../../../sdk/gpu/msm/plan.js';
import { planMsm } from '../../../sdk/gpu/msm/planner.js';
import { pointLayout } from '../../../sdk/gpu/msm/point-layout.js';
import type { GpuDevice } from '../../../sdk/gpu/runtime/device.js';
import { BufferUsage } from '../../../sdk/gpu/runtime/flags.js';
import { Pace } from '../../../sdk/gpu/runtime/pace.js';
import type { StagePipeline } from '../../../sdk/gpu/runtime/pipelines.js';
import { Scratch } from '../../../sdk/gpu/runtime/scratch.js';
import type { Kernel } from '../../../sdk/gpu/runtime/stage.js';
import { windowCount } from '../../../sdk/msm/digits.js';
import { type AffinePoint, multiplyAffine } from '../../support/curve-reference.js';
import { evaluateWindows, expectedSum, packBases, randomPoints } from '../../support/msm-reference.js';
import { Random } from '../../support/random.js';
import { sharedDevice } from '../test-device.js';
import { digitsReference, scalarWords } from './sort-reference.js';

const COUNT = 60;
const WINDOW_BITS = 9;

/** Sums over bases whose multiples 2^(j G c) P lie behind the points, so that several windows share a row of buckets. */
describe.each(['bn254', 'bls12-377'] as const)('a plan with multiples of the points of %s', (curve) => {
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

  function planFor(multiples: number, memoryBudget: number): MsmPlan {
    return planMsm({
      points: COUNT,
      batch: 1,
      digitsFrom: 'scalars',
      pointsPerBuffer: COUNT,
      scalarBits: fr.bits,
      sumBytes: pointLayout(curve, 'g1').sumBytes,
      memoryBudget,
      maxBufferBytes: 2 ** 27,
      concurrency: 16,
      uploadCost: 0,
      windowBits: WINDOW_BITS,
      multiples,
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
    return { buffer, points: to - from };
  }

  async function sumBy(
    plan: MsmPlan,
    buffers: readonly { buffer: GPUBuffer; points: number }[],
    input: DigitInput = scalarInput(scalarBytes),
  ): Promise<AffinePoint> {
    const gpu = await sharedDevice();
    const scratch = new Scratch<MsmBuffer>(gpu);
    made.push(scratch);
    await scratch.prepare(scratchLayout(plan), Number.POSITIVE_INFINITY);
    const { finished } = await submitMultiplication(
      gpu,
      { plan, chunks: cutChunks(plan, buffers), input },
      {
        pipelines: await pipelines(gpu, curve),
        scratch,
        pace: new Pace(true),
        limbs: pointLayout(curve, 'g1').limbs,
        measureStages: false,
        signal: undefined,
        onProgress: undefined,
      },
    );
    const { sums } = await finished;
    expect(sums.length).toBe(plan.rows * plan.windowBits * plan.sumBytes);
    return evaluateWindows(curve, sums, 1);
  }

  it.each([2, 3])('gives the sum with %i multiples of each', async (multiples) => {
    const gpu = await sharedDevice();
    const plan = planFor(multiples, 2 ** 30);
    expect(plan.rows).toBe(Math.ceil(windowCount(fr.bits, WINDOW_BITS) / multiples));
    expect(await sumBy(plan, [baseBuffer(gpu, plan, 0, COUNT)])).toEqual(expected);
    // The same digits, cut elsewhere.
    const digits = digitInput(async (windowBits, from, to) =>
      digitsReference(scalars.slice(from, to), fr.bits, windowBits, 0, plan.windows),
    );
    expect(await sumBy({ ...plan, digitsFrom: 'digits' }, [baseBuffer(gpu, plan, 0, COUNT)], digits)).toEqual(expected);
  });

  it('gives the sum in passes over some rows and chunks of points, from several buffers', async () => {
    const gpu = await sharedDevice();
    const plan = { ...planFor(2, 2 ** 30), rowsPerPass: 4, chunkPoints: 16 };
    const buffers = [baseBuffer(gpu, plan, 0, 37), baseBuffer(gpu, plan, 37, COUNT)];
    expect(await sumBy(plan, buffers)).toEqual(expected);
    // One chunk: its scalars stay for the later passes.
    const whole = { ...plan, chunkPoints: COUNT };
    expect(await sumBy(whole, [baseBuffer(gpu, whole, 0, COUNT)])).toEqual(expected);
  });
});

async function pipelines(gpu: GpuDevice, curve: CurveId): Promise<ReadonlyMap<Kernel, StagePipeline>> {
  const compiled = MSM_KERNELS.map(async (kernel): Promise<[Kernel, StagePipeline]> => {
    const code = await kernelCode(curve, 'g1', kernel, 'limbs');
    return [kernel, await gpu.pipelines.get(kernelKey(curve, 'g1', kernel, 'limbs'), kernel, code)];
  });
  return new Map(await Promise.all(compiled));
}
