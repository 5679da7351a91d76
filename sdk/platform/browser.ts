import type { Prover, ProverOptions } from '../api.js';
import { type CallerPlatform, createProverOn } from '../prover.js';
import { startPackageWorker } from '../transport/trusted-scripts.js';
import { scriptUrl, webWorkerChannel } from '../transport/web-worker.js';
import { describeUrl } from './browser-location.js';

const platform: CallerPlatform = {
  spawnCoordinator(coordinator) {
    // Bundlers find the script only by the literal form `new Worker(new URL(...))`.
    return webWorkerChannel(scriptUrl(coordinator?.toString(), 'coordinator.js', import.meta.url), () =>
      coordinator === undefined
        ? startPackageWorker(() => new Worker(new URL('./coordinator.js', import.meta.url), { type: 'module' }))
        : new Worker(coordinator as string, { type: 'module' }),
    );
  },
  describeLocation: describeUrl,
  disposeTimeoutMs: 30_000,
};

/**
 * Starts a prover in a page, an extension or a webview. All work runs in workers.
 *
 * Rejects with `INVALID_ARGUMENT` for options out of range, `WEBGPU_UNAVAILABLE` when `backend` is `webgpu` and there is no
 * usable adapter, `WORKER_FAILED` when a worker's script cannot be loaded, and `UNSUPPORTED_ENVIRONMENT` where workers cannot be started,
 * as in a service worker.
 */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(platform, options);
}
