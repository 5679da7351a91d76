import { MessageChannel } from 'node:worker_threads';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { dispatchEvent, eventMessage, type WorkerChannel, type WorkerScope } from './channel.js';
import { messagesHandled } from './node-worker.js';
import { releaseRemote } from './remote.js';

/**
 * A connection like that to a Node worker thread, to what runs on the caller's own thread. It ends when the caller terminates it, and it never
 * fails.
 *
 * @param start starts what would run in the worker, with its side of the connection.
 */
export function sameThreadChannel(start: (scope: WorkerScope) => void): WorkerChannel {
  const { port1: near, port2: far } = new MessageChannel();
  start({ endpoint: nodeEndpoint(far), emit: (event) => far.postMessage(eventMessage(event)), messagesHandled });
  const endpoint = nodeEndpoint(near);
  return {
    endpoint,
    onEvent(listener) {
      near.on('message', (message) => dispatchEvent(message, listener));
    },
    onFailure: () => undefined,
    terminate() {
      near.close();
      releaseRemote(endpoint);
    },
    setBusy(isBusy) {
      for (const port of [near, far]) {
        if (isBusy) port.ref();
        else port.unref();
      }
    },
  };
}
