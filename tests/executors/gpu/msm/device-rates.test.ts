import { afterEach, describe, expect, it } from 'vitest';
import { CURVES } from '../../../../sdk/curves/index.js';
import { GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { evaluateWindows, expectedSum, packBases, randomPoints } from '../../../support/msm-reference.js';
import { Random } from '../../../support/random.js';
import { sharedDevice } from '../test-device.js';
import { scalarWords } from './sort-reference.js';

describe('the rates of a device', () => {
  let msm: GpuMsm | undefined;

  afterEach(() => msm?.destroy());

  it('are measured before the first multiplication, whose sum stays right', async () => {
    const gpu = await sharedDevice();
    msm = await GpuMsm.create(gpu, 'edwards-bls12', 'g1', { measureRates: true });
    const assumed = msm.rates;
    const random = new Random(5);
    const { points, logs } = randomPoints('edwards-bls12', 40, random);
    const scalars = points.map(() => random.below(CURVES['edwards-bls12'].fr.modulus));
    const bases = await msm.load(packBases('edwards-bls12', points));

    const parts = await msm.multiply(bases, new Uint8Array(scalarWords(scalars).buffer));

    if (parts.kind === 'points') throw new Error('expected windows');
    expect(evaluateWindows('edwards-bls12', parts.sums, parts.windowBits)).toEqual(
      expectedSum('edwards-bls12', logs, scalars),
    );
    const { concurrency, uploadCost } = msm.rates;
    expect(msm.rates).not.toBe(assumed);
    expect(concurrency).toBeGreaterThanOrEqual(16);
    expect(concurrency).toBeLessThanOrEqual(65_536);
    expect(uploadCost).toBeGreaterThanOrEqual(0);
    expect(uploadCost).toBeLessThanOrEqual(64);
  });

  it('stay those of the model where nothing asks for a measurement', async () => {
    msm = await GpuMsm.create(await sharedDevice(), 'edwards-bls12', 'g1');
    const assumed = msm.rates;
    await msm.ready;
    expect(msm.rates).toBe(assumed);
  });

  it('are not waited for when the computation is destroyed meanwhile', async () => {
    msm = await GpuMsm.create(await sharedDevice(), 'edwards-bls12', 'g1', { measureRates: true });
    msm.destroy();
    await msm.ready;
  });
});
