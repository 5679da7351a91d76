import { messageOf, PippinError } from '../errors.js';
import { dispatchEvent, eventMessage, type WorkerChannel, type WorkerScope } from './channel.js';
import { releaseRemote } from './remote.js';
import { knowsTrustedTypes, POLICY_NAME } from './trusted-scripts.js';
import { WorkerFailure, workerFailed } from './worker-failure.js';

/**
 * Milliseconds between the end of a connection to a worker that has workers of its own, and the end of that worker. Chromium may never end a worker
 * that is told to while its own ones are ending: its thread and one or more of theirs stay as long as the page, with their memory
 * (docs/architecture.md, facts).
 */
const LAST_MS = 500;

/**
 * Starts a dedicated Worker of a page, or of another worker.
 *
 * @param script the URL of its script, for error messages.
 * @param start makes the Worker.
 * @param hasWorkers whether it starts workers of its own.
 */
export function webWorkerChannel(script: string, start: () => Worker, hasWorkers = false): WorkerChannel {
  if (typeof Worker === 'undefined') throw noWorkers();
  const worker = startWorker(script, start);
  const failure = new WorkerFailure(script);
  let hasEnded = false;
  worker.addEventListener('message', () => failure.noteMessage(), { once: true });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    failure.report(event.message || 'its script could not be loaded');
  });
  worker.addEventListener('messageerror', () => failure.report(UNREADABLE));
  return {
    endpoint: worker,
    onEvent(listener) {
      worker.addEventListener('message', (message) => {
        if (!hasEnded) dispatchEvent(message.data, listener);
      });
    },
    onFailure: (listener) => failure.onFailure(listener),
    terminate() {
      hasEnded = true;
      failure.expectEnd();
      if (hasWorkers) setTimeout(() => worker.terminate(), LAST_MS);
      else worker.terminate();
      releaseRemote(worker);
    },
  };
}

/**
 * The URL of a script of the package, for messages: the one that the caller gave, or the one beside the module at `base`. If a bundler has
 * renamed the file this URL is wrong, but the right one cannot be read from a Worker.
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

/** The scope of the dedicated Worker that calls this. */
export function webWorkerScope(): WorkerScope {
  const scope = globalThis as unknown as Worker;
  // The caller is told by an `error` event: without an answer it would wait for ever.
  scope.addEventListener('messageerror', () => globalThis.reportError(new Error(UNREADABLE)));
  return { endpoint: scope, emit: (event) => scope.postMessage(eventMessage(event)), messagesHandled };
}

/** What is reported of a message that the other side could not make, such as a compiled module that may not leave its page. */
const UNREADABLE = 'a message could not be read';

/** A macrotask that is no timer: a message of the thread to itself. */
export function messagesHandled(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Starts the Worker. A missing script is reported later; this throws, for example, when the URL belongs to another origin. */
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
