import { countBufferBytes } from './buffer-bytes.js';

/**
 * Stands for the package `webgpu` in the bundled prover: a bare machine names Dawn's entry module by WEBGPU_PATH. The memory that the prover
 * takes on the GPU is counted.
 */
const dawn: typeof import('webgpu') = await import(process.env.WEBGPU_PATH ?? 'webgpu');

export const { create, globals } = dawn;
countBufferBytes((globals as { readonly GPUDevice: typeof GPUDevice }).GPUDevice);
