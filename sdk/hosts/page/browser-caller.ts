import type { TrustedScriptUrl } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { loadPart } from '../../base/load-part.js';
import { kernelCount } from '../../engine/platform.js';
import type { WorkerChannel } from '../../transport/channel.js';
import {
  type CoordinatorWorker,
  coordinatorChannel,
  ownWorker,
  type SentAtStart,
  type WorkerName,
} from '../../transport/coordinator-workers.js';
import { workerScript } from '../../transport/trusted-scripts.js';
import type { AssetPlaces } from '../prover/asset-places.js';
import type { CallerPlatform } from '../prover/caller-platform.js';
import { describeUrl, locate } from './browser-location.js';
import type { NestedOrders } from './nested-workers.js';
import { startScript } from './start-worker.js';

/** Bundlers find a worker's script only by the literal form `new Worker(new URL(...))`. */
const STARTS: Readonly<Record<WorkerName, () => Worker>> = {
  coordinator: () => new Worker(new URL('./coordinator.js', import.meta.url), { type: 'module' }),
  kernel: () => new Worker(new URL('./kernel.js', import.meta.url), { type: 'module' }),
  witness: () => new Worker(new URL('./witness.js', import.meta.url), { type: 'module' }),
};

/** The script that the caller named for a worker, if any. */
function givenScript(
  { scripts, assets: { base } }: AssetPlaces,
  name: WorkerName,
): string | TrustedScriptUrl | undefined {
  return scripts[name] ?? (base && workerScript(new URL(`${name}.js`, base).href, scripts.isFolderTrusted));
}

/** A witness worker for this thread itself. */
export function spawnWitness(places: AssetPlaces): WorkerChannel {
  return ownWorker((sent) => startScript('witness', givenScript(places, 'witness'), STARTS.witness, sent));
}

/** A kernel worker for this thread itself. */
export function spawnKernel(places: AssetPlaces): WorkerChannel {
  return ownWorker((sent) => startScript('kernel', givenScript(places, 'kernel'), STARTS.kernel, sent));
}

export const browserCallerPlatform: CallerPlatform = {
  spawnCoordinator(scripts, { threads, assets }) {
    const scriptOf = (name: WorkerName) => givenScript({ scripts, assets }, name);
    const start = (name: WorkerName, sent: SentAtStart) => startScript(name, scriptOf(name), STARTS[name], sent);
    // Only Firefox at times stands still in a worker that starts workers. Elsewhere ports would only cost: Chromium
    // copies what goes through them.
    const byPort = /Firefox\//.test(globalThis.navigator?.userAgent ?? '');
    if (byPort && globalThis.document !== undefined) return coordinatorChannel(start, { byPort });
    const plain = (name: CoordinatorWorker) => {
      const script = scriptOf(name);
      return script && { [name]: { url: String(script), isTrusted: typeof script !== 'string' } };
    };
    const nested: NestedOrders = {
      atOnce: byPort ? kernelCount(threads, globalThis.navigator.hardwareConcurrency) : 0,
      scripts: { ...plain('kernel'), ...plain('witness') },
    };
    return coordinatorChannel(start, { byPort, nested });
  },
  startEngineHere,
  locate,
  describeLocation: describeUrl,
  disposeTimeoutMs: 30_000,
};

/**
 * `UNSUPPORTED_ENVIRONMENT` in a service worker that would have to load the engine later, `IO_FAILED` elsewhere if it
 * cannot be loaded.
 */
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
  return here.pageEngine();
}
