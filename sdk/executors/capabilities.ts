import type { MsmCapabilities } from '../bases/backend.js';

// What executors can do, known before their code is loaded.

/** The workers. The gathered scalars of all MSMs of a call are in memory at the same time. */
export const WORKERS_CAPABILITIES: MsmCapabilities = {
  executor: 'wasm',
  groups: ['g1', 'g2'],
  forms: ['weierstrass', 'edwards'],
  maxBatch: 256,
};

/**
 * Any GPU. An MSM has 32 to 305 KB of window sums, and the readback of a call has the window sums of all its MSMs.
 */
export const GPU_CAPABILITIES: MsmCapabilities = {
  executor: 'webgpu',
  groups: ['g1', 'g2'],
  forms: ['weierstrass', 'edwards'],
  maxBatch: 256,
};
