/** Stands for the package `webgpu` in the bundled prover: a bare machine names Dawn's entry module by WEBGPU_PATH. */
const dawn: typeof import('webgpu') = await import(process.env.WEBGPU_PATH ?? 'webgpu');

export const { create, globals } = dawn;
