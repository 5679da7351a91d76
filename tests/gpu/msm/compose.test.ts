import { expect, test, vi } from 'vitest';
import { composeShader } from '../../../sdk/gpu/msm/compose.js';
import { FIELD_SHADERS } from '../../../shaders/generated/index.js';

test('says which shaders could not be loaded, and why', async () => {
  const unreachable = new TypeError('Failed to fetch dynamically imported module: https://example.com/bn254-fq.js');
  vi.spyOn(FIELD_SHADERS.bn254, 'limbs').mockRejectedValueOnce(unreachable);
  await expect(composeShader('bn254', 'g1', '')).rejects.toMatchObject({
    name: 'PippinError',
    code: 'WEBGPU_UNAVAILABLE',
    message: `expected the shaders of bn254, could not load them: ${unreachable.message}`,
    cause: unreachable,
  });
});
