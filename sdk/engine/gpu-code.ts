/** All that a proof computes on a GPU: a script of its own, which is loaded only where there is WebGPU. */
export { GpuMsm } from '../gpu/msm/gpu-msm.js';
export { GpuQuotient } from '../gpu/quotient/gpu-quotient.js';
export { openDevice } from '../gpu/runtime/device.js';
