import type { Prover, ProverOptions } from '../../api/index.js';
import { createProverOn } from '../prover/prover.js';
import { nodeCallerPlatform } from './node-caller.js';

// The types that applications read come through this file: the platform, whose types lead to the engine, stands apart.

/**
 * Starts a prover in Node: the same engine on worker threads, with WebGPU from the optional peer dependency `webgpu`
 * and the cache in a folder.
 *
 * @param options what may compute, with how much memory, and where the package's files lie.
 * @returns the prover. Dispose it when it is no longer needed.
 * @throws {PippinError} INVALID_ARGUMENT for options out of range.
 * @throws {PippinError} WEBGPU_UNAVAILABLE when `backend` is `webgpu` and there is no usable adapter.
 * @throws {PippinError} WORKER_FAILED when a worker's script cannot be loaded.
 * @example
 * ```js run
 * import { createProver } from 'pippin-prover';
 *
 * const prover = await createProver({ backend: 'wasm', cache: { directory: './proving-cache' } });
 * console.log(prover.capabilities);
 * await prover.dispose();
 * ```
 */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(nodeCallerPlatform, options);
}
