import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartialSums } from '../../../../sdk/bases/backend.js';
import { hostScalars } from '../../../../sdk/bases/scalar-vector.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import type { GpuScalars } from '../../../../sdk/executors/gpu/gpu-scalars.js';
import { type GpuBases, GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import { type GpuConstraints, GpuQuotient } from '../../../../sdk/executors/gpu/polynomials/gpu-quotient.js';
import { elementBytes } from '../../../../sdk/executors/gpu/polynomials/scalar-field.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import type { AffinePoint } from '../../../support/curve-reference.js';
import {
  evaluateWindows,
  expectedSum,
  type KnownPoints,
  packBases,
  randomPoints,
} from '../../../support/msm-reference.js';
import { quotientOfWitness } from '../../../support/quotient-of-witness.js';
import { Random } from '../../../support/random.js';
import { sharedDevice } from '../test-device.js';
import { elementsOf, readBuffer } from './quotient-lab.js';
import { mixedEntries, sectionOf } from './section.js';

const CURVE = 'bn254';
const FACTS = { domainSize: 512, variables: 300 } as const;

describe('sums with scalars on the GPU', () => {
  const random = new Random(23);
  let gpu: GpuDevice;
  let quotient: GpuQuotient;
  let constraints: GpuConstraints;
  let known: KnownPoints;
  let scalars: GpuScalars;
  /** The same on the host. */
  let bytes: Uint8Array;

  const witness = (): Uint8Array =>
    elementBytes(
      CURVE,
      Array.from({ length: FACTS.variables }, () => random.below(CURVES[CURVE].fr.modulus)),
    );

  beforeAll(async () => {
    gpu = await sharedDevice();
    quotient = await GpuQuotient.create(gpu, CURVE);
    constraints = await quotient.loadConstraints(sectionOf(CURVE, mixedEntries(CURVE, FACTS, random)), FACTS);
    known = randomPoints(CURVE, FACTS.domainSize, random);
    scalars = await quotientOfWitness(quotient, constraints, witness());
    bytes = await readBuffer(gpu, scalars.buffer);
  });

  afterAll(() => {
    scalars.release();
    quotient.destroy();
  });

  function point(parts: PartialSums): AffinePoint {
    if (parts.kind === 'points') throw new Error('expected windows');
    return evaluateWindows(CURVE, parts.sums, parts.windowBits);
  }

  async function loaded(msm: GpuMsm, count: number = FACTS.domainSize): Promise<GpuBases> {
    return msm.load(packBases(CURVE, known.points.slice(0, count)));
  }

  it('are those with the same scalars on the host', async () => {
    const msm = await GpuMsm.create(gpu, CURVE, 'g1');
    const bases = await loaded(msm);
    const onGpu = (await msm.multiplyBatch(bases, scalars, 1)).map(point);
    expect(onGpu).toEqual((await msm.multiplyBatch(bases, hostScalars(bytes), 1)).map(point));
    expect(onGpu).toEqual([expectedSum(CURVE, known.logs, elementsOf(bytes))]);
    msm.destroy();
  });

  it('are right in batches, and in chunks and passes', async () => {
    const { baseBytes, sumBytes } = pointLayout(CURVE, 'g1');
    const half = FACTS.domainSize / 2;
    const msm = await GpuMsm.create(gpu, CURVE, 'g1', { memoryBudget: half * baseBytes + 140_000 + 470 * sumBytes });
    const bases = await loaded(msm, half);
    const plan = msm.plan(bases, { batch: 2, windowBits: 6 });
    expect([plan.batchPerPass, plan.rowsPerPass < plan.rows]).toEqual([1, true]);
    const sums = await msm.multiplyBatch(bases, scalars, 2, { windowBits: 6 });
    const all = elementsOf(bytes);
    const logs = known.logs.slice(0, half);
    const expected = [all.slice(0, half), all.slice(half)].map((row) => expectedSum(CURVE, logs, row));
    expect(sums.map(point)).toEqual(expected);
    msm.destroy();
  });

  it('are finished before the scalars are freed', async () => {
    const msm = await GpuMsm.create(gpu, CURVE, 'g1');
    const bases = await loaded(msm);
    const own = await quotientOfWitness(quotient, constraints, witness());
    const values = elementsOf(await readBuffer(gpu, own.buffer));
    const sums = msm.multiplyBatch(bases, own, 1);
    own.release();
    own.release();
    expect((await sums).map(point)).toEqual([expectedSum(CURVE, known.logs, values)]);
    await expect(msm.multiplyBatch(bases, own, 1)).rejects.toMatchObject({ code: 'DISPOSED' });
    msm.destroy();
  });

  it('reject other numbers of scalars, and scalars of another device', async () => {
    const msm = await GpuMsm.create(gpu, CURVE, 'g1');
    const bases = await loaded(msm, 3);
    await expect(msm.multiplyBatch(bases, scalars, 1)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    msm.destroy();
    // Another device as far as one can tell.
    const device = new Proxy(gpu.device, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const foreign = await GpuMsm.create(Object.create(gpu, { device: { value: device } }), CURVE, 'g1');
    const own = await loaded(foreign);
    await expect(foreign.multiplyBatch(own, scalars, 1)).rejects.toMatchObject({ code: 'INTERNAL' });
    foreign.destroy();
  });
});
