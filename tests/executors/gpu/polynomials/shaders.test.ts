import { describe, expect, it, vi } from 'vitest';
import { polynomialKernelCode } from '../../../../sdk/executors/gpu/polynomials/compose.js';
import { QUOTIENT_KERNELS } from '../../../../sdk/executors/gpu/polynomials/quotient-steps.js';
import { VECTOR_KERNELS } from '../../../../sdk/executors/gpu/vectors/vector-stages.js';
import { SCALAR_FIELD_SHADERS } from '../../../../shaders/generated/index.js';
import { sharedDevice } from '../test-device.js';
import { TRANSFORM_CURVES } from './quotient-lab.js';

/** Storage buffers that a shader may bind on every device. */
const DEFAULT_STORAGE_BUFFERS = 8;

describe('the kernels of polynomials', () => {
  for (const { id } of TRANSFORM_CURVES) {
    for (const kernel of new Set([...QUOTIENT_KERNELS, ...VECTOR_KERNELS])) {
      it(`${kernel.name} of ${id} is valid WGSL without a warning, within the default limits`, async () => {
        const gpu = await sharedDevice();
        const code = await polynomialKernelCode(id, kernel);
        const { value, done } = gpu.checked(() => gpu.device.createShaderModule({ code }));
        const { messages } = await value.getCompilationInfo();
        expect(messages.map(({ message }) => message)).toEqual([]);
        await done;
        expect(Object.keys(kernel.bindings).length).toBeLessThanOrEqual(DEFAULT_STORAGE_BUFFERS);
      });
    }
  }

  it('say when their field could not be loaded', async () => {
    vi.spyOn(SCALAR_FIELD_SHADERS, 'bn254').mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(polynomialKernelCode('bn254', QUOTIENT_KERNELS[0]!)).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
      message: 'expected the code for bn254 on the GPU, could not load it: Failed to fetch',
    });
  });
});
