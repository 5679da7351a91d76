import { countBufferBytes } from './buffer-bytes.js';
import { DEFAULT_LIMITS } from './default-limits.js';

/**
 * Stands for the package `webgpu` in the bundled prover: a bare machine names Dawn's entry module by WEBGPU_PATH. The
 * memory that the prover takes on the GPU is counted.
 */
const dawn: typeof import('webgpu') = await import(process.env.WEBGPU_PATH ?? 'webgpu');

export const { create, globals } = dawn;
countBufferBytes((globals as { readonly GPUDevice: typeof GPUDevice }).GPUDevice);
if (process.env[DEFAULT_LIMITS] !== undefined)
  askForNoLimits((globals as { readonly GPUAdapter: typeof GPUAdapter }).GPUAdapter);

/** Gives devices WebGPU's default limits, whatever is asked for. */
function askForNoLimits({ prototype }: { readonly prototype: GPUAdapter }): void {
  const request = prototype.requestDevice;
  prototype.requestDevice = function (descriptor) {
    return request.call(this, { ...descriptor, requiredLimits: {} });
  };
}
