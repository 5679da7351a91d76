import { MessageChannel } from 'node:worker_threads';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { WorkerChannel, WorkerScope } from './channel.js';
import { nodeMessagesHandled } from './node-worker.js';
import { connectHere } from './same-thread.js';

/** A connection to what runs on the caller's own thread, in Node. */
export function nodeSameThreadChannel(start: (scope: WorkerScope) => void): WorkerChannel {
  const { port1, port2 } = new MessageChannel();
  // By their first listener ports would keep the process alive.
  for (const port of [port1, port2]) port.on('message', () => undefined).unref();
  return connectHere(
    {
      near: nodeEndpoint(port1),
      far: nodeEndpoint(port2),
      onMessage: (listener) => void port1.on('message', listener),
      messagesHandled: nodeMessagesHandled,
      close: () => port1.close(),
      setBusy(isBusy) {
        for (const port of [port1, port2]) {
          if (isBusy) port.ref();
          else port.unref();
        }
      },
    },
    start,
  );
}
