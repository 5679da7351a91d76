import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { messageOf, PippinError } from '../base/errors.js';
import { dispatchEvent, eventMessage, type WorkerChannel, type WorkerScope } from './channel.js';
import { releaseRemote } from './remote.js';
import { WorkerFailure, workerFailed } from './worker-failure.js';

/**
 * Megabytes for new objects in a worker's heap. Large data in a worker is in buffers outside of the heap; its objects
 * are small and short-lived. With Node's default of 48 they would fill 10 MB or more in every thread before they are
 * collected.
 */
const YOUNG_GENERATION_MB = 2;

/** What to look at when Node finds no file for a worker. */
const NO_FILE_HINT =
  'a bundler, or a copy of the application for a server, may have left the file out: leave the package pippin-prover unbundled, and copy all of it ' +
  "(Next.js: serverExternalPackages: ['pippin-prover']). ProverOptions.assets takes the scripts' URLs";

/** The event that asks a thread to end itself. */
const END = 'end';

/** Milliseconds that it has for it. A thread that computes does not hear of it, but reads no script either. */
const END_MS = 250;

/** The kinds of active resource that are operations on a file. */
const FILE_OPERATION = /^(FSReq|CloseReq)/;

/** The `threadId` of a worker that has ended. */
const ENDED = -1;

/** Starts a module in a Node worker thread. */
export function nodeWorkerChannel(url: URL): WorkerChannel {
  const worker = startWorker(url);
  const failure = new WorkerFailure(url.href);
  worker.once('message', () => failure.noteMessage());
  worker.on('error', (error) => failure.report(messageOf(error), error, isNoFile(error) ? NO_FILE_HINT : undefined));
  worker.on('messageerror', (error) => failure.report(`a message could not be read: ${error.message}`, error));
  worker.on('exit', (code) => failure.report(`it exited with code ${code}`));
  const endpoint = nodeEndpoint(worker);
  return {
    endpoint,
    onEvent(listener) {
      worker.on('message', (message) => dispatchEvent(message, listener));
    },
    onFailure: (listener) => failure.onFailure(listener),
    terminate() {
      failure.expectEnd();
      const ended = endWorker(worker);
      releaseRemote(endpoint);
      return ended;
    },
    setBusy(isBusy) {
      if (isBusy) worker.ref();
      else worker.unref();
    },
  };
}

/** The scope of the worker thread that calls this. */
export function nodeWorkerScope(): WorkerScope {
  const port = parentPort;
  if (port === null) throw new PippinError('INTERNAL', 'expected to run in a worker thread, got the main thread');
  port.on('message', (message) =>
    dispatchEvent(message, (event) => {
      if (event === END) void filesRead().then(() => process.exit());
    }),
  );
  return {
    endpoint: nodeEndpoint(port),
    emit: (event) => port.postMessage(eventMessage(event)),
    messagesHandled: nodeMessagesHandled,
  };
}

/**
 * A turn of the event loop. A message to a port's `onmessage`, as in a browser, would make Node load its MessageEvent,
 * and with it all of its HTTP client: 40 ms of work in every thread.
 */
export function nodeMessagesHandled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Fulfilled when this thread has no pending operation on a file. */
async function filesRead(): Promise<void> {
  while (process.getActiveResourcesInfo().some((kind) => FILE_OPERATION.test(kind))) await nodeMessagesHandled();
}

/**
 * Ends a thread once it has read the scripts that it is reading. Node 20, and 22 and 24 in their first releases, read a
 * script in steps, and would leave its descriptor open.
 */
async function endWorker(worker: Worker): Promise<void> {
  // A thread that has ended before emits no `exit` any more.
  if (worker.threadId !== ENDED) {
    worker.postMessage(eventMessage(END));
    await once(worker, 'exit', { signal: AbortSignal.timeout(END_MS) }).catch(() => undefined);
  }
  await worker.terminate();
}

/** Starts the thread. A missing file is reported later; this throws, for example, when the URL names no file. */
function startWorker(url: URL): Worker {
  try {
    return new Worker(url, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
  } catch (error) {
    throw workerFailed(url.href, false, messageOf(error), error);
  }
}

function isNoFile(error: Error): boolean {
  return 'code' in error && error.code === 'MODULE_NOT_FOUND';
}
