import type { Endpoint } from 'comlink';
import type { WorkerChannel, WorkerScope } from './channel.js';
import { connectHere } from './same-thread.js';
import { webMessagesHandled } from './web-worker-channel.js';

/** A connection to what runs on the caller's own thread, in a page or in a worker. */
export function webSameThreadChannel(start: (scope: WorkerScope) => void): WorkerChannel {
  const { port1, port2 } = new MessageChannel();
  const toFar = new Delivery(port1, port2);
  const toNear = new Delivery(port2, port1);
  return connectHere(
    {
      near: endpoint(toFar, toNear),
      far: endpoint(toNear, toFar),
      onMessage: (listener) => toNear.listeners.add(({ data }) => listener(data)),
      messagesHandled: webMessagesHandled,
      close() {
        port1.close();
        toFar.close();
        toNear.close();
      },
    },
    start,
  );
}

type Listener = (event: { readonly data: unknown }) => void;

/**
 * One direction of the connection. The messages themselves are cloned here, and the ports carry only the news of them:
 * ports of a page that is a file refuse compiled WebAssembly, although it stays on the same thread.
 */
class Delivery {
  readonly listeners = new Set<Listener>();
  private readonly waiting: unknown[] = [];
  private isClosed = false;

  constructor(
    private readonly from: MessagePort,
    to: MessagePort,
  ) {
    to.onmessage = () => {
      const data = this.waiting.shift();
      for (const listener of [...this.listeners]) listener({ data });
    };
  }

  /** Lets go of what it would call, and of what was not delivered: the caller may hold its end for long. */
  close(): void {
    this.isClosed = true;
    this.listeners.clear();
    this.waiting.length = 0;
  }

  send(message: unknown, transfer: Transferable[]): void {
    if (this.isClosed) return;
    this.waiting.push(structuredClone(message, { transfer }));
    this.from.postMessage(undefined);
  }
}

function endpoint(sent: Delivery, received: Delivery): Endpoint {
  return {
    postMessage: (message, transfer = []) => sent.send(message, transfer),
    addEventListener: (_, listener) => received.listeners.add(listener as unknown as Listener),
    removeEventListener: (_, listener) => received.listeners.delete(listener as unknown as Listener),
  };
}
