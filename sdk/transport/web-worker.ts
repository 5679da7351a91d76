import { messageOf, PippinError } from '../base/errors.js';
import { knowsTrustedTypes, POLICY_NAME } from './trusted-scripts.js';
import type { Orders } from './web-worker-channel.js';
import { WorkerFailure, workerFailed } from './worker-failure.js';

/**
 * The timeout in milliseconds of a worker connected by a port that starts its own workers, after which another one
 * takes its place; the next gets twice as long, and the last has no timeout. Such a worker at times stands still for
 * ever in Firefox (docs/architecture.md, facts): 11 of 60 did on a busy machine, and in all cases the second or the
 * third did not, once the one before had ended.
 */
const FIRST_TRY_MS = 5_000;
const MOST_TRIES = 5;

/** A dedicated Worker that this thread has started. */
export interface StartedWorker {
  readonly worker: Worker;
  readonly failure: WorkerFailure;
  terminate(): void;
}

/** How a dedicated Worker is started. */
export interface WorkerStart {
  /** The URL of its script, for error messages. */
  readonly script: string;
  /** Makes the Worker. */
  readonly start: () => Worker;
  readonly orders: Orders;
  /** What the worker is sent when its script runs, if it is connected by a port. */
  readonly ports?: MessagePort[];
}

/** Starts a dedicated Worker whose script calls `serveStarter`. */
export function startWebWorker({ script, start, orders, ports = [] }: WorkerStart): StartedWorker {
  if (typeof Worker === 'undefined') throw noWorkers();
  const failure = new WorkerFailure(script);
  let worker: Worker;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (tries: number): void => {
    const begun = startWorker(script, start);
    worker = begun;
    const onRun = (): void => {
      // A message of an ended worker may still be in flight.
      if (begun !== worker) return;
      clearTimeout(timer);
      failure.noteMessage();
      if (orders.byPort) begun.postMessage(undefined, ports);
    };
    begun.addEventListener('message', onRun, { once: true });
    begun.addEventListener('error', (event) => {
      event.preventDefault();
      failure.report(event.message || 'its script could not be loaded');
    });
    begun.postMessage(orders);
    if (!orders.byPort || orders.nested === undefined || tries === MOST_TRIES) return;
    timer = setTimeout(
      () => {
        begun.terminate();
        begin(tries + 1);
      },
      FIRST_TRY_MS * 2 ** (tries - 1),
    );
  };
  begin(1);
  return {
    worker: worker!,
    failure,
    terminate() {
      clearTimeout(timer);
      failure.expectEnd();
      worker.terminate();
    },
  };
}

/**
 * The URL of a script of the package, for messages: the one that the caller gave, or the one beside the module at
 * `base`. If a bundler has renamed the file this URL is wrong, but the right one cannot be read from a Worker.
 */
export function scriptUrl(given: string | URL | undefined, name: string, base: string): string {
  if (given !== undefined) return String(given);
  try {
    return new URL(name, base).href;
  } catch {
    // No file can be beside `base`: the module was loaded from a Blob, or a bundler left its URL out.
    return name;
  }
}

/**
 * Starts the Worker. A missing script is reported later; this throws, for example, when the URL belongs to another
 * origin.
 */
function startWorker(script: string, start: () => Worker): Worker {
  try {
    return start();
  } catch (error) {
    const hint = error instanceof TypeError && knowsTrustedTypes() ? TRUSTED_HINT : undefined;
    throw workerFailed(script, false, messageOf(error), error, hint);
  }
}

/** What to do in a page that requires Trusted Types. */
const TRUSTED_HINT =
  `where the Content-Security-Policy requires Trusted Types, it must allow the policy ${POLICY_NAME} (trusted-types ${POLICY_NAME}), or ` +
  'ProverOptions.assets must give the scripts as TrustedScriptURL';

function noWorkers(): PippinError {
  return new PippinError(
    'UNSUPPORTED_ENVIRONMENT',
    'expected an environment that starts workers, got one without them',
    {
      hint:
        'a service worker has none: an extension proves in an offscreen document (pippin-prover/extension); ' +
        'createProver({ threads: 0 }) does everything on the thread that calls it',
    },
  );
}
