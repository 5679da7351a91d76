import type { Prover, ProverOptions } from '../../api/index.js';
import { createProverOn } from '../prover/prover.js';
import { nodeCallerPlatform } from './node-caller.js';

// The types that applications read come through this file: the platform, whose types lead to the engine, stands apart.

/**
 * Starts a prover in Node: the same engine on worker threads, with WebGPU from the optional peer dependency `webgpu`
 * and the cache in a folder.
 *
 * Rejects with `INVALID_ARGUMENT` for options out of range, `WEBGPU_UNAVAILABLE` when `backend` is `webgpu` and there
 * is no usable adapter, and `WORKER_FAILED` when a worker's script cannot be loaded.
 */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(nodeCallerPlatform, options);
}
