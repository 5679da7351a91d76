import { PippinError } from '../errors.js';
import { dispatchEvent, eventMessage, keepErrorCodes, type WorkerChannel, type WorkerScope } from './channel.js';

/** The line to a page's or worker's dedicated Worker. */
export function webWorkerChannel(worker: Worker): WorkerChannel {
  keepErrorCodes();
  return {
    endpoint: worker,
    onEvent(listener) {
      worker.addEventListener('message', (message) => dispatchEvent(message.data, listener));
    },
    onFailure(listener) {
      let told = false;
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        if (told) return;
        told = true;
        const reason = event.message || 'its script could not be loaded';
        listener(new PippinError('WORKER_FAILED', `expected a running worker, got an error in it: ${reason}`));
      });
    },
    terminate: () => worker.terminate(),
  };
}

/** The scope of the dedicated Worker that calls this. */
export function webWorkerScope(): WorkerScope {
  keepErrorCodes();
  const scope = globalThis as unknown as Worker;
  return { endpoint: scope, emit: (event) => scope.postMessage(eventMessage(event)) };
}
