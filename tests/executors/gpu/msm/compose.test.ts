import { expect, test, vi } from 'vitest';
import { hasGpuKernels } from '../../../../sdk/curves/index.js';
import { composeShader } from '../../../../sdk/executors/gpu/msm/compose.js';
import { FIELD_SHADERS } from '../../../../shaders/generated/index.js';
import { ALL_CURVES } from '../../../support/registry.js';

test('says which shaders could not be loaded, and why', async () => {
  const unreachable = new TypeError('Failed to fetch dynamically imported module: https://example.com/bn254-fq.js');
  vi.spyOn(FIELD_SHADERS.bn254, 'limbs').mockRejectedValueOnce(unreachable);
  await expect(composeShader('bn254', 'g1', '')).rejects.toMatchObject({
    name: 'PippinError',
    code: 'WEBGPU_UNAVAILABLE',
    message: `expected the code for bn254 on the GPU, could not load it: ${unreachable.message}`,
    cause: unreachable,
  });
});

test('refuses curves without kernels on the GPU', async () => {
  const without = ALL_CURVES.filter(({ id }) => !hasGpuKernels(id));
  expect(without.length).toBeGreaterThan(0);
  for (const { id } of without) {
    await expect(composeShader(id, 'g1', '')).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
  }
});
