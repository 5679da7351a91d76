import type { Prover, ProverOptions } from '../api.js';
import type { SourceDescription } from '../engine/engine-api.js';
import { type CallerPlatform, createProverOn } from '../prover.js';
import { webWorkerChannel } from '../transport/web-worker.js';

const platform: CallerPlatform = {
  spawnCoordinator(options) {
    const { coordinator } = options.assets ?? {};
    // The literal form in `new Worker(new URL(...))` is what bundlers look for.
    return webWorkerChannel(
      coordinator === undefined
        ? new Worker(new URL('./coordinator.js', import.meta.url), { type: 'module' })
        : new Worker(coordinator, { type: 'module' }),
    );
  },
  describeLocation(location): SourceDescription {
    return { kind: 'url', url: new URL(location, globalThis.location?.href).href };
  },
};

/**
 * Starts a prover in a page, an extension or a webview. All work runs in workers.
 *
 * Rejects with `INVALID_ARGUMENT` for options out of range, `WEBGPU_UNAVAILABLE` when `backend` is `webgpu` and there is no
 * usable adapter, and `WORKER_FAILED` when the worker's script cannot be loaded.
 */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(platform, options);
}
