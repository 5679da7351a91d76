import type { WorkerChannel, WorkerScope } from './channel.js';
import { connectHere } from './same-thread.js';
import { messagesHandled } from './web-worker.js';

/** A connection to what runs on the caller's own thread, in a page or in a worker. */
export function sameThreadChannel(start: (scope: WorkerScope) => void): WorkerChannel {
  const { port1, port2 } = new MessageChannel();
  return connectHere(
    {
      near: port1,
      far: port2,
      onMessage(listener) {
        port1.addEventListener('message', ({ data }) => listener(data));
        port1.start();
      },
      messagesHandled,
      close: () => port1.close(),
    },
    start,
  );
}
