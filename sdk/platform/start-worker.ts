import type { TrustedScriptUrl } from '../api.js';
import type { CoordinatorWorker, WorkerName } from '../transport/coordinator-workers.js';
import { startPackageWorker } from '../transport/trusted-scripts.js';
import { type StartedWorker, scriptUrl, startWebWorker, type WorkerStart } from '../transport/web-worker.js';

/** Starts the package's own scripts. Bundlers find a worker's script only by the literal form `new Worker(new URL(...))`. */
export const PACKAGE_WORKERS: Readonly<Record<CoordinatorWorker, () => Worker>> = {
  kernel: () => new Worker(new URL('./kernel.js', import.meta.url), { type: 'module' }),
  witness: () => new Worker(new URL('./witness.js', import.meta.url), { type: 'module' }),
};

/**
 * Starts a worker of a browser.
 *
 * @param script the caller's own, if any.
 * @param start starts the package's.
 */
export function startScript(
  name: WorkerName,
  script: string | TrustedScriptUrl | undefined,
  start: () => Worker,
  given: Omit<WorkerStart, 'script' | 'start'>,
): StartedWorker {
  return startWebWorker({
    ...given,
    script: scriptUrl(script?.toString(), `${name}.js`, import.meta.url),
    start: () => (script === undefined ? startPackageWorker(start) : new Worker(script as string, { type: 'module' })),
  });
}
