import { describe, expect, it } from 'vitest';
import type { CurveId, GroupId } from '../../../../sdk/curves/index.js';
import { msmKernelCode } from '../../../../sdk/executors/gpu/msm/compose.js';
import { MSM_KERNELS } from '../../../../sdk/executors/gpu/msm/msm-steps.js';
import { CURVES_ON_GPU } from '../../../support/registry.js';
import { sharedDevice } from '../test-device.js';

/** Every kernel, and once more those that may multiply by bytes. */
const kernels = [
  ...MSM_KERNELS.map((kernel) => ({ kernel, products: 'limbs' as const })),
  ...MSM_KERNELS.filter(({ arithmetic }) => arithmetic === 'bases').map((kernel) => ({
    kernel,
    products: 'bytes' as const,
  })),
];

/** Storage buffers that a shader may bind on every device. */
const DEFAULT_STORAGE_BUFFERS = 8;

describe('the kernels', () => {
  const groups = CURVES_ON_GPU.flatMap(({ id, g2 }): { curve: CurveId; group: GroupId }[] => [
    { curve: id, group: 'g1' },
    ...(g2 === undefined ? [] : [{ curve: id, group: 'g2' } as const]),
  ]);
  for (const { curve, group } of groups) {
    for (const { kernel, products } of kernels) {
      const kind = kernel.variant ?? kernel.arithmetic ?? 'plain';
      it(`${kernel.name} (${kind}, by ${products}) of ${group} of ${curve} is valid WGSL without a warning, within the default limits`, async () => {
        const gpu = await sharedDevice();
        const code = await msmKernelCode(curve, group, kernel, products);
        const { value, done } = gpu.checked(() => gpu.device.createShaderModule({ code }));
        const { messages } = await value.getCompilationInfo();
        expect(messages.map(({ message }) => message)).toEqual([]);
        await done;
        expect(Object.keys(kernel.bindings).length).toBeLessThanOrEqual(DEFAULT_STORAGE_BUFFERS);
      });
    }
  }
});
