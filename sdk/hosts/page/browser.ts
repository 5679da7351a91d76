import type { Prover, ProverOptions } from '../../api/index.js';
import { createProverOn } from '../prover/prover.js';
import { browserCallerPlatform } from './browser-caller.js';

/**
 * Starts a prover in a page, an extension or a webview. All work runs in workers, unless `threads` is 0.
 *
 * Rejects with `INVALID_ARGUMENT` for options out of range, `WEBGPU_UNAVAILABLE` when `backend` is `webgpu` and there
 * is no usable adapter, `WORKER_FAILED` when a worker's script cannot be loaded, and `UNSUPPORTED_ENVIRONMENT` where
 * workers cannot be started, as in a service worker.
 */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(browserCallerPlatform, options);
}
