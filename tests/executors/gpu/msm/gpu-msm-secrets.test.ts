import { beforeAll, describe, expect, it } from 'vitest';
import type { PreparedBases } from '../../../../sdk/bases/prepared.js';
import { hostScalars, type ScalarVector, SharedScalars } from '../../../../sdk/bases/scalar-vector.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { type GpuBases, GpuMsm, type GpuMultiplyOptions } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { evaluateWindows, expectedSum, packBases, randomPoints } from '../../../support/msm-reference.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { expectNoSecrets } from '../secrets-on.js';
import { type VirtualDevice, virtualGpu } from '../virtual-gpu.js';

const CURVE = 'bn254';
const COUNT = 300;
/** Small windows make several submits of a sum. */
const SLOW = { windowBits: 4 } as const;
const LAST = 'collect bn254 g1 limbs';

const random = new Random(41);
const values = Array.from({ length: COUNT }, () => random.below(CURVES[CURVE].fr.modulus));
const bytes = encodeScalars(values);
let bases: PreparedBases;
let expected: readonly bigint[] | undefined;
beforeAll(() => {
  const { points, logs } = randomPoints(CURVE, COUNT, random);
  bases = packBases(CURVE, points);
  expected = expectedSum(CURVE, logs, values);
});

/**
 * A multiplication that has not learnt yet how much the device can do in a submit. `onUse` is told what is used on the
 * device.
 */
async function open(onUse: (name: string, device: VirtualDevice) => void = () => undefined) {
  const { gpu, devices } = await virtualGpu({ onUse, isSoftware: true });
  const msm = await GpuMsm.create(await openDevice(gpu), CURVE, 'g1');
  return { msm, resident: await msm.load(bases), device: devices[0]! };
}

async function expectRight(msm: GpuMsm, resident: GpuBases, scalars: ScalarVector): Promise<void> {
  const [parts] = await msm.multiplyBatch(resident, scalars, 1);
  if (parts!.kind === 'points') throw new Error('expected windows');
  expect(evaluateWindows(CURVE, parts!.sums, parts!.windowBits)).toEqual(expected);
}

/** Scalars on the host, and those of a copy on the device. */
const KINDS = ['host', 'shared'] as const;

describe.each(KINDS)('a sum from %s scalars leaves nothing of them on the GPU', (kind) => {
  const make = () => {
    const shared = new SharedScalars(bytes);
    return { shared, scalars: kind === 'host' ? hostScalars(bytes) : shared.slice() };
  };

  it('when it has ended', async () => {
    const { msm, resident, device } = await open();
    const { shared, scalars } = make();
    await expectRight(msm, resident, scalars);
    shared.release();
    await expectNoSecrets(device, bytes);
    const labels = [...device.alive].map(({ label }) => label);
    for (const label of ['scratch 0', 'readback', 'staging']) expect(labels).toContain(label);
    msm.destroy();
  });

  it('when it is aborted in the middle', async () => {
    const { msm, resident, device } = await open();
    const { shared, scalars } = make();
    const controller = new AbortController();
    const options: GpuMultiplyOptions = { ...SLOW, signal: controller.signal, onProgress: () => controller.abort() };
    await expect(msm.multiplyBatch(resident, scalars, 1, options)).rejects.toMatchObject({ code: 'ABORTED' });
    shared.release();
    await expectNoSecrets(device, bytes);
    await expectRight(msm, resident, make().scalars);
    msm.destroy();
  });

  it('when its last submit is refused, and others follow', async () => {
    let isToFail = true;
    let submits = 0;
    const { msm, resident, device } = await open((name, on) => {
      if (name === LAST && isToFail) {
        isToFail = false;
        on.refuseNext();
      }
    });
    const { shared, scalars } = make();
    const onProgress = (): void => {
      submits++;
    };
    const failing = msm.multiplyBatch(resident, scalars, 1, { ...SLOW, onProgress });
    const next = expectRight(msm, resident, hostScalars(bytes));
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL' });
    await next;
    expect(submits).toBeGreaterThan(1);
    isToFail = true;
    await expect(msm.multiplyBatch(resident, scalars, 1, SLOW)).rejects.toMatchObject({ code: 'INTERNAL' });
    shared.release();
    await expectNoSecrets(device, bytes);
    msm.destroy();
  });
});
