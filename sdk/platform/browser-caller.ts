import { PippinError } from '../errors.js';
import { loadPart } from '../load-part.js';
import type { CallerPlatform } from '../prover/caller-platform.js';
import type { WorkerChannel } from '../transport/channel.js';
import { coordinatorChannel, type WorkerName } from '../transport/coordinator-workers.js';
import { startPackageWorker, workerScript } from '../transport/trusted-scripts.js';
import { scriptUrl, startWebWorker } from '../transport/web-worker.js';
import { describeUrl, locate } from './browser-location.js';

/** Bundlers find a worker's script only by the literal form `new Worker(new URL(...))`. */
const PACKAGE_WORKERS: Readonly<Record<WorkerName, () => Worker>> = {
  coordinator: () => new Worker(new URL('./coordinator.js', import.meta.url), { type: 'module' }),
  kernel: () => new Worker(new URL('./kernel.js', import.meta.url), { type: 'module' }),
  witness: () => new Worker(new URL('./witness.js', import.meta.url), { type: 'module' }),
};

export const browserCallerPlatform: CallerPlatform = {
  spawnCoordinator: ({ isFolderTrusted, ...scripts }, { base }) =>
    coordinatorChannel((name, ports) => {
      const file = `${name}.js`;
      const inFolder = base === undefined ? undefined : workerScript(new URL(file, base).href, isFolderTrusted);
      const script = scripts[name] ?? inFolder;
      const start = (): Worker =>
        script === undefined
          ? startPackageWorker(PACKAGE_WORKERS[name])
          : new Worker(script as string, { type: 'module' });
      return startWebWorker(scriptUrl(script?.toString(), file, import.meta.url), start, ports);
    }),
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
