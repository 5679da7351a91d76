import { expect, it } from 'vitest';
import { GpuMsm } from '../../../../sdk/executors/gpu/msm/gpu-msm.js';
import { openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { packBases, randomPoints } from '../../../support/msm-reference.js';
import { Random } from '../../../support/random.js';
import { emptyKernels, watchedGpu } from '../../../support/watched-gpu.js';

it('kernels for digits that are cut elsewhere, and for sets of buckets to be joined, are compiled when they are first needed', async () => {
  const compiled: string[] = [];
  const { gpu } = await watchedGpu((device) => {
    emptyKernels(device);
    const create = device.createComputePipelineAsync.bind(device);
    device.createComputePipelineAsync = (descriptor) => {
      compiled.push(descriptor.label ?? '');
      return create(descriptor);
    };
  });
  const device = await openDevice(gpu);
  const forDigits = () => compiled.filter((name) => name.includes('digits'));
  const msm = await GpuMsm.create(device, 'bn254', 'g1');
  await msm.ready;
  expect(compiled.length).toBeGreaterThan(0);
  expect(forDigits()).toEqual([]);

  const bases = await msm.load(packBases('bn254', randomPoints('bn254', 4, new Random(1)).points));
  await msm.multiply(bases, new Uint8Array(4 * 32));
  expect(forDigits()).toEqual([]);
  const before = compiled.length;
  await msm.multiply(bases, new Uint8Array(4 * 32), {
    digitSource: async () => new Uint32Array(4 * 64),
    windowBits: 4,
  });
  expect(forDigits()).toHaveLength(2);
  expect(compiled).toHaveLength(before + 2);
  await msm.multiply(bases, new Uint8Array(4 * 32), { reduction: 'cross-window' });
  expect(compiled).toHaveLength(before + 3);
  expect(compiled.at(-1)).toMatch(/^join/);
  msm.destroy();
  await device.destroy();
});
