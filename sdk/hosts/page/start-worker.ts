import type { TrustedScriptUrl } from '../../api/index.js';
import type { WorkerName } from '../../transport/coordinator-workers.js';
import { startGivenWorker, startPackageWorker } from '../../transport/trusted-scripts.js';
import { type StartedWorker, scriptUrl, startWebWorker, type WorkerStart } from '../../transport/web-worker.js';

/**
 * Starts a worker of a browser.
 *
 * @param script the caller's own, if any.
 * @param start starts the package's. It stands in the caller's file: Vite refuses workers that refer to each other, and
 * all workers share this one.
 */
export function startScript(
  name: WorkerName,
  script: string | TrustedScriptUrl | undefined,
  start: () => Worker,
  given: Omit<WorkerStart, 'script' | 'start'>,
): StartedWorker {
  // The build of classic scripts replaces the coordinator's name.
  const file = name === 'coordinator' ? './coordinator.js' : `${name}.js`;
  return startWebWorker({
    ...given,
    script: scriptUrl(script?.toString(), file, import.meta.url),
    start: () => (script === undefined ? startPackageWorker(start) : startGivenWorker(script)),
  });
}
