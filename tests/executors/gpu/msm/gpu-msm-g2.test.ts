import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartialSums } from '../../../../sdk/bases/backend.js';
import { hostScalars } from '../../../../sdk/bases/scalar-vector.js';
import { mod } from '../../../../sdk/curves/modular.js';
import { msmKernelKey } from '../../../../sdk/executors/gpu/msm/compose.js';
import { GpuMsm, type GpuMultiplyOptions } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { MSM_KERNELS } from '../../../../sdk/executors/gpu/msm/msm-steps.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { firstOf, isTestedInFull } from '../../../support/combinations.js';
import { G2Reference } from '../../../support/g2-reference.js';
import { packBases } from '../../../support/msm-reference.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { CURVES_ON_GPU, CURVES_WITH_G2 } from '../../../support/registry.js';
import { adversarialScalars } from '../../../support/scalars.js';
import { loadKernel } from '../../../support/wasm.js';
import { sharedDevice } from '../test-device.js';

/** Sums over G2 against @noble/curves, with the last steps by the WASM kernel, which take them in a proof. */
// The kernels of another curve take ten seconds to compile; its fields and its law have tests of their own.
const curves = CURVES_WITH_G2.filter(({ id }) => isTestedInFull(id, 'g2'));
/** The others differ from the first in their fields alone: they have a few sums. */
const inFull = firstOf(curves).map(({ id }) => id);

describe.each(curves)('GpuMsm over G2 of $id', ({ id, fr, g1 }) => {
  const r = fr.modulus;
  const reference = new G2Reference(id);
  const random = new Random(17);
  /** Small logarithms: such points are quickly made, and sums of them are often equal or opposite. */
  const logs = Array.from({ length: 150 }, (_, i) => 1n + BigInt((i * 37) % 100));
  const uniform = (): bigint => random.below(r);
  let gpu: GpuDevice;
  let msm: GpuMsm;
  let kernel: Kernel;
  const ifInFull = (name: string, test: () => Promise<void>): void => {
    if (inFull.includes(id)) it(name, test);
  };

  beforeAll(async () => {
    [gpu, kernel] = await Promise.all([sharedDevice(), loadKernel(id)]);
    msm = await GpuMsm.create(gpu, id, 'g2');
  });
  afterAll(() => msm.destroy());

  /** The point of some bit sums, all of which must be canonical. */
  async function pointOf(parts: PartialSums): Promise<Uint8Array> {
    if (parts.kind === 'points') throw new Error('expected window sums');
    const { sums, windowBits } = parts;
    expect(reference.isCanonical(new Uint32Array(sums.slice().buffer))).toBe(true);
    return kernel.reduceWindows({ group: 'g2', form: 'weierstrass', sums, windowBits });
  }

  const expected = (some: readonly bigint[], scalars: readonly bigint[]): Uint8Array =>
    reference.group.multiple(
      mod(
        some.reduce((sum, log, i) => sum + log * scalars[i]!, 0n),
        r,
      ),
    );

  async function check(
    some: readonly bigint[],
    scalars: readonly bigint[],
    options?: GpuMultiplyOptions,
    on: GpuMsm = msm,
  ): Promise<void> {
    const bases = await on.load(reference.packBases(some));
    try {
      expect(await pointOf(await on.multiply(bases, encodeScalars(scalars), options))).toEqual(expected(some, scalars));
    } finally {
      bases.release();
    }
  }

  it.each([1, 2, 150])('sums %i points', (count) =>
    check(
      logs.slice(0, count),
      Array.from({ length: count }, () => uniform()),
    ),
  );

  for (const windowBits of [4, 7, 11]) {
    ifInFull(`uses windows of ${windowBits} bits`, () =>
      check(logs.slice(0, 40), Array.from({ length: 40 }, uniform), { windowBits }),
    );
  }

  const some = logs.slice(0, 60);
  for (const [name, scalars] of Object.entries(adversarialScalars(some.length, r))) {
    ifInFull(`sums repeated and opposite points with scalars: ${name}`, () =>
      check(
        some.map((log, i) => (i % 5 === 0 ? logs[0]! : i % 5 === 1 ? r - logs[0]! : log)),
        scalars,
      ),
    );
  }

  ifInFull('multiplies a batch in one call', async () => {
    const few = logs.slice(0, 20);
    const bases = await msm.load(reference.packBases(few));
    const rows = [few.map(uniform), few.map(() => 0n), few.map((_, i) => r - BigInt(i))];
    const results = await msm.multiplyBatch(bases, hostScalars(encodeScalars(rows.flat())), rows.length);
    for (const [i, parts] of results.entries()) expect(await pointOf(parts)).toEqual(expected(few, rows[i]!));
    bases.release();
  });

  ifInFull('multiplies in passes and chunks, from several buffers, when memory is short', async () => {
    const { sumBytes, baseBytes } = pointLayout(id, 'g2');
    // A little more than the bit sums need.
    const bytes = 260 * sumBytes;
    const limits = { maxStorageBufferBindingSize: bytes, maxBufferSize: bytes };
    const narrow: GpuDevice = Object.create(gpu, { limits: { value: limits } });
    const many = Array.from({ length: 600 }, (_, i) => logs[i % logs.length]!);
    const limited = await GpuMsm.create(narrow, id, 'g2', { memoryBudget: 600 * baseBytes + 4 * bytes });
    const bases = await limited.load(reference.packBases(many));
    expect(bases.buffers.length).toBeGreaterThan(1);
    const { rowsPerPass, rows } = limited.plan(bases, { windowBits: 7 });
    expect(rowsPerPass).toBeLessThan(rows);
    const scalars = many.map(uniform);
    const parts = await limited.multiply(bases, encodeScalars(scalars), { windowBits: 7 });
    expect(await pointOf(parts)).toEqual(expected(many, scalars));
    limited.destroy();
  });

  // The kernel takes ten seconds to compile on a software adapter. What is particular to a curve in it is its field.
  ifInFull('adds bases by bytes on a device that multiplies so', async () => {
    const other = await GpuMsm.create(await sharedDevice('bytes'), id, 'g2');
    await check(logs.slice(0, 3), [1n, r - 1n, uniform()], undefined, other);
    other.destroy();
  });

  it('shares the kernels that know no field with G1, and no others', () => {
    for (const each of MSM_KERNELS) {
      const isShared = msmKernelKey(id, 'g2', each, 'limbs') === msmKernelKey(id, 'g1', each, 'limbs');
      expect(isShared).toBe(each.arithmetic === undefined);
    }
  });

  it('rejects bases of another group', async () => {
    await expect(msm.load(packBases(id, [g1.generator]))).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
  });
});

it('refuses G2 of a curve without it', async () => {
  const { id } = CURVES_ON_GPU.find(({ g2 }) => g2 === undefined)!;
  await expect(GpuMsm.create(await sharedDevice(), id, 'g2')).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
});
