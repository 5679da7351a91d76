import { MessageChannel } from 'node:worker_threads';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { WorkerChannel, WorkerScope } from './channel.js';
import { messagesHandled } from './node-worker.js';
import { connectHere } from './same-thread.js';

/** A connection to what runs on the caller's own thread, in Node. */
export function sameThreadChannel(start: (scope: WorkerScope) => void): WorkerChannel {
  const { port1, port2 } = new MessageChannel();
  return connectHere(
    {
      near: nodeEndpoint(port1),
      far: nodeEndpoint(port2),
      onMessage: (listener) => void port1.on('message', listener),
      messagesHandled,
      close: () => port1.close(),
    },
    start,
  );
}
