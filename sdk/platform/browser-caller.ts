import { PippinError } from '../errors.js';
import { loadPart } from '../load-part.js';
import type { CallerPlatform } from '../prover/caller-platform.js';
import type { WorkerChannel } from '../transport/channel.js';
import { startPackageWorker } from '../transport/trusted-scripts.js';
import { scriptUrl, webWorkerChannel } from '../transport/web-worker.js';
import { describeUrl, locate } from './browser-location.js';
import { scriptInFolder } from './script-in-folder.js';

export const browserCallerPlatform: CallerPlatform = {
  spawnCoordinator(given, assets) {
    const script = given ?? scriptInFolder('coordinator.js', assets);
    // Bundlers find the script only by the literal form `new Worker(new URL(...))`.
    const start = (): Worker =>
      script === undefined
        ? startPackageWorker(() => new Worker(new URL('./coordinator.js', import.meta.url), { type: 'module' }))
        : new Worker(script as string, { type: 'module' });
    return webWorkerChannel(scriptUrl(script?.toString(), 'coordinator.js', import.meta.url), start, true);
  },
  startEngineHere,
  locate,
  describeLocation: describeUrl,
  disposeTimeoutMs: 30_000,
};

/** `UNSUPPORTED_ENVIRONMENT` in a service worker that would have to load the engine later, `IO_FAILED` elsewhere if it cannot be loaded. */
async function startEngineHere(): Promise<WorkerChannel> {
  let here: typeof import('./browser-here.js');
  try {
    here = await loadPart('the engine', () => import('./browser-here.js'));
  } catch (cause) {
    if (!('ServiceWorkerGlobalScope' in globalThis)) throw cause;
    throw new PippinError('UNSUPPORTED_ENVIRONMENT', 'expected a page or a worker, got a service worker', {
      cause,
      hint: 'a service worker loads no modules later: start it with pippin-prover/classic.js, which holds everything',
    });
  }
  return here.engineHere();
}
