import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BasesToLoad, SumBackend } from '../../../../sdk/bases/backend.js';
import { finishing } from '../../../../sdk/bases/finishing.js';
import { HeldMultiples } from '../../../../sdk/bases/precompute.js';
import { pointForm } from '../../../../sdk/bases/prepared.js';
import { randomlyChecked } from '../../../../sdk/bases/random-check.js';
import { hostScalars } from '../../../../sdk/bases/scalar-vector.js';
import { hasGpuKernels } from '../../../../sdk/curves/index.js';
import { GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { isTestedOnGpu } from '../../../support/combinations.js';
import { kernelArithmetic, kernelChecks } from '../../../support/kernel-checks.js';
import { NOBLE_GROUPS } from '../../../support/noble-groups.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { loadKernel } from '../../../support/wasm.js';
import { sharedDevice } from '../test-device.js';

const COUNT = 40;

/**
 * Sums of a GPU that computes right pass their check, whatever they are of: a software adapter takes seconds to compile
 * the kernels of a group, so one of each shape stands for the others.
 */
const GROUPS = NOBLE_GROUPS.filter(({ curve, group }) => hasGpuKernels(curve) && isTestedOnGpu(curve, group));

describe.each(GROUPS)('checked sums over $group of $curve', ({ curve, group, order, multiple, multiples }) => {
  const random = new Random(81);
  const logs = Array.from({ length: COUNT }, (_, i) => (i === 3 ? 0n : i === 5 ? 7n : random.below(order)));
  let kernel: Kernel;
  let msm: GpuMsm;
  let backend: SumBackend;
  let bases: BasesToLoad;

  beforeAll(async () => {
    kernel = await loadKernel(curve);
    msm = await GpuMsm.create(await sharedDevice(), curve, group);
    const arithmetic = kernelArithmetic(kernel);
    backend = finishing(randomlyChecked(msm, kernelChecks(kernel), arithmetic), arithmetic);
    const form = pointForm(curve, group);
    const prepared = await kernel.prepareBases({ group, form, encoding: 'canonical', points: multiples(logs) });
    bases = { curve, group, form, count: COUNT, checksSums: true, ...prepared };
  });
  afterAll(() => msm.destroy());

  const expected = (scalars: readonly bigint[]): Uint8Array =>
    multiple(scalars.reduce((sum, scalar, i) => sum + scalar * logs[i]!, 0n) % order);

  async function check(rows: readonly (readonly bigint[])[], options = {}, given = bases): Promise<void> {
    const loaded = await backend.load(given);
    const scalars = hostScalars(encodeScalars(rows.flat(), curve));
    const sums = await backend.multiplyBatch(loaded, scalars, rows.length, { ...options, check: 'random' });
    expect(sums.map(({ point }) => point)).toEqual(rows.map(expected));
    loaded.release();
  }

  const uniform = (): bigint[] => logs.map(() => random.below(order));

  it('are given for one multiplication and for several, with edges among the scalars', async () => {
    const edges = uniform();
    edges.splice(0, 6, 0n, 1n, order - 1n, 1n << 32n, order - 2n, (1n << 128n) - 1n);
    await check([edges]);
    await check([uniform(), logs.map(() => 0n), edges], { windowBits: 6 });
  });

  it('are given for short scalars', () => check([logs.map((_, i) => BigInt(i * 91))], { scalarBits: 12 }));

  it('are given where bases have multiples', async () => {
    const plan = { windowBits: 9, rows: 10, multiples: 3 };
    const points = bases.points as Uint8Array;
    const made = await kernel.multiples({ group, form: pointForm(curve, group), points, ...plan });
    const multiples = new HeldMultiples('webgpu', plan, made!);
    await check([uniform(), uniform()], {}, { ...bases, multiples });
  });

  it('are given for no points', async () => {
    const none = { ...bases, count: 0, kept: 0, indices: undefined, points: new Uint8Array(0) };
    const loaded = await backend.load(none);
    const [sum] = await backend.multiplyBatch(loaded, hostScalars(new Uint8Array(0)), 1, { check: 'random' });
    expect(sum!.point).toEqual(multiple(0n));
  });
});
