import type { MsmCapabilities } from '../../../bases/backend.js';

/** The most MSMs in one call. Their gathered scalars are in memory at the same time. */
const MAX_BATCH = 256;

/** The MSMs that the workers can do. */
export const WORKERS_CAPABILITIES: MsmCapabilities = {
  executor: 'wasm',
  groups: ['g1', 'g2'],
  forms: ['weierstrass', 'edwards'],
  maxBatch: MAX_BATCH,
};
