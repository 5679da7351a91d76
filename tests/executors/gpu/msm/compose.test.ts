import { expect, test, vi } from 'vitest';
import { composeShader } from '../../../../sdk/executors/gpu/msm/compose.js';
import { FIELD_SHADERS } from '../../../../shaders/generated/index.js';

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
  // All curves have kernels: one loses them here.
  const shaders: Record<string, unknown> = FIELD_SHADERS;
  const { grumpkin } = FIELD_SHADERS;
  delete shaders.grumpkin;
  try {
    await expect(composeShader('grumpkin', 'g1', '')).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
  } finally {
    Object.assign(FIELD_SHADERS, { grumpkin });
  }
});
