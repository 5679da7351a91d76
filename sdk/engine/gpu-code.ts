/** All that a proof computes on a GPU: a script of its own, which is loaded only where there is WebGPU. */
export { GpuMsm } from '../executors/gpu/msm/gpu-msm.js';
export { GpuQuotient } from '../executors/gpu/polynomials/gpu-quotient.js';
export { openDevice } from '../executors/gpu/runtime/device.js';
