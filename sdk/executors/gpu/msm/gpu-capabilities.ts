import type { MsmCapabilities } from '../../../bases/backend.js';

/**
 * What `GpuMsm` can do on any device, known before its code is loaded. An MSM has 32 to 305 KB of window sums, and the
 * readback of a call has the window sums of all its MSMs.
 */
export const GPU_CAPABILITIES: MsmCapabilities = {
  executor: 'webgpu',
  groups: ['g1', 'g2'],
  forms: ['weierstrass', 'edwards'],
  maxBatch: 256,
};
