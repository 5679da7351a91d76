import type { Prover, ProverOptions } from '../../api/index.js';
import { createProverOn } from '../prover/prover.js';
import { browserCallerPlatform } from './browser-caller.js';

/**
 * Starts a prover in a page, an extension or a webview. All work runs in workers, unless `threads` is 0. Make one for
 * the whole application.
 *
 * @param options what may compute, with how much memory, and where the package's files lie.
 * @returns the prover. Dispose it when it is no longer needed.
 * @throws {PippinError} INVALID_ARGUMENT for options out of range.
 * @throws {PippinError} WEBGPU_UNAVAILABLE when `backend` is `webgpu` and there is no usable adapter.
 * @throws {PippinError} WORKER_FAILED when a worker's script cannot be loaded.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT where workers cannot be started, as in a service worker.
 * @example
 * ```js run
 * import { createProver } from 'pippin-prover';
 *
 * const prover = await createProver({ threads: 2, onNotice: ({ code, message }) => console.warn(code, message) });
 * const { backend, threads } = prover.capabilities;
 * console.log(`${threads} workers, on ${backend}`);
 * await prover.dispose();
 * ```
 */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(browserCallerPlatform, options);
}
