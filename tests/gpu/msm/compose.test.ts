import { expect, test, vi } from 'vitest';
import { composeShader } from '../../../sdk/gpu/msm/compose.js';

const unreachable = new TypeError('Failed to fetch dynamically imported module: https://example.com/bn254-fq.js');

vi.mock('../../../shaders/generated/index.js', () => ({
  FIELD_SHADERS: { bn254: { limbs: () => Promise.reject(unreachable) } },
}));

test('says which shaders could not be loaded, and why', async () => {
  await expect(composeShader('bn254', '')).rejects.toMatchObject({
    name: 'PippinError',
    code: 'WEBGPU_UNAVAILABLE',
    message: `expected the shaders of bn254, could not load them: ${unreachable.message}`,
    cause: unreachable,
  });
});
