import { dispatchEvent, eventMessage, type WorkerChannel, type WorkerScope } from './channel.js';
import { releaseRemote } from './remote.js';
import type { WorkerFailure } from './worker-failure.js';

/** What is reported of a message that this side cannot read, such as a compiled module that may not leave its page. */
const UNREADABLE = 'a message could not be read';

/**
 * The connection to a worker of a browser through one of two ports, of which the worker gets the other.
 *
 * @param failure what is known of the worker's failure.
 * @param end ends the worker.
 */
export function portChannel(port: MessagePort, failure: WorkerFailure, end: () => void): WorkerChannel {
  port.addEventListener('messageerror', () => failure.report(UNREADABLE));
  return {
    endpoint: port,
    onEvent(listener) {
      port.addEventListener('message', ({ data }) => dispatchEvent(data, listener));
      port.start();
    },
    onFailure: (listener) => failure.onFailure(listener),
    terminate() {
      failure.expectEnd();
      end();
      releaseRemote(port);
      port.close();
    },
  };
}

/**
 * Called once by the script of a worker: obeys the orders of the thread that started it, reports that the script runs, and serves the connection
 * that this thread then sends.
 *
 * @param serve gets the connection, and the ports that came beside it.
 * @param obey gets the orders (`WorkerStart`).
 */
export function serveStarter(
  serve: (scope: WorkerScope, ports: readonly MessagePort[]) => void,
  obey: (orders: unknown) => void = () => undefined,
): void {
  const scope = globalThis as unknown as Worker;
  const onPorts = ({ ports: [connection, ...others] }: MessageEvent): void => {
    const endpoint = connection!;
    // An error of the worker reaches whoever started it. Without one the caller would wait for ever for an answer.
    endpoint.addEventListener('messageerror', () => globalThis.reportError(new Error(UNREADABLE)));
    serve({ endpoint, emit: (event) => endpoint.postMessage(eventMessage(event)), messagesHandled }, others);
  };
  const onOrders = ({ data }: MessageEvent): void => {
    obey(data);
    scope.addEventListener('message', onPorts, { once: true });
    scope.postMessage(undefined);
  };
  scope.addEventListener('message', onOrders, { once: true });
}

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
