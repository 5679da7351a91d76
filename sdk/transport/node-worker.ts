import { parentPort, Worker } from 'node:worker_threads';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { PippinError } from '../errors.js';
import { dispatchEvent, eventMessage, keepErrorCodes, type WorkerChannel, type WorkerScope } from './channel.js';

/**
 * Megabytes of the space for new objects of a worker's heap. What is large in a worker lies in buffers; the objects beside it are
 * small and soon done with, and with Node's 48 they would be left to fill 10 MB and more of every thread.
 */
const YOUNG_GENERATION_MB = 2;

/** Starts a module in a Node worker thread. */
export function nodeWorkerChannel(url: URL): WorkerChannel {
  keepErrorCodes();
  const worker = new Worker(url, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
  let terminated = false;
  return {
    endpoint: nodeEndpoint(worker),
    onEvent(listener) {
      worker.on('message', (message) => dispatchEvent(message, listener));
    },
    onFailure(listener) {
      let told = false;
      const fail = (reason: string): void => {
        if (told || terminated) return;
        told = true;
        listener(new PippinError('WORKER_FAILED', `expected a running worker, got an error in it: ${reason}`));
      };
      worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
      worker.on('exit', (code) => fail(`it exited with code ${code}`));
    },
    terminate() {
      terminated = true;
      void worker.terminate();
    },
  };
}

/** The scope of the worker thread that calls this. */
export function nodeWorkerScope(): WorkerScope {
  keepErrorCodes();
  const port = parentPort;
  if (port === null) throw new PippinError('INTERNAL', 'expected to run in a worker thread, got the main thread');
  return { endpoint: nodeEndpoint(port), emit: (event) => port.postMessage(eventMessage(event)) };
}
