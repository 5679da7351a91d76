import type { MsmCapabilities } from '../../../bases/backend.js';

/**
 * What `GpuMsm` can do on any device, known before its code is loaded. A multiplication leaves 32 to 98 KB of window sums, and those of a call
 * are read back together.
 */
export const GPU_CAPABILITIES: MsmCapabilities = {
  executor: 'webgpu',
  groups: ['g1', 'g2'],
  forms: ['weierstrass', 'edwards'],
  maxBatch: 256,
};
