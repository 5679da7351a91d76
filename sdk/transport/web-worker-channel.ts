import { dispatchEvent, eventMessage, type WorkerChannel, type WorkerScope } from './channel.js';
import { releaseRemote } from './remote.js';
import type { WorkerFailure } from './worker-failure.js';

/** What a worker is sent first. */
export interface Orders {
  /** Whether it is connected by a port, which is sent when its script runs. */
  readonly byPort: boolean;
  /** To a coordinator: how it starts its workers itself. */
  readonly nested?: unknown;
}

/**
 * A name of the worker's global, taken by the run of its script that serves. WebKit runs the script of a module worker
 * a second time when one of its chunks imports it, as bundlers have chunks do; both would answer the same messages.
 */
const SERVED = Symbol.for('pippin-prover: this worker is served');

/** What is reported of a message that this side cannot read, such as a compiled module that may not leave its page. */
const UNREADABLE = 'a message could not be read';

/**
 * The connection to a worker of a browser.
 *
 * @param near the worker itself, or one of two ports; the worker gets the other.
 * @param failure what is known of the worker's failure.
 * @param end ends the worker.
 */
export function workerChannel(near: Worker | MessagePort, failure: WorkerFailure, end: () => void): WorkerChannel {
  let hasEnded = false;
  near.addEventListener('messageerror', () => failure.report(UNREADABLE));
  return {
    endpoint: near,
    onEvent(listener) {
      near.addEventListener('message', (message) => {
        if (!hasEnded) dispatchEvent((message as MessageEvent).data, listener);
      });
      if ('start' in near) near.start();
    },
    onFailure: (listener) => failure.onFailure(listener),
    terminate() {
      hasEnded = true;
      failure.expectEnd();
      end();
      releaseRemote(near);
      if ('close' in near) near.close();
    },
  };
}

/**
 * Called once by the script of a worker: obeys the orders of the thread that started it, and serves the connection to
 * that thread. If the orders ask for ports, it reports that the script runs, and serves the connection that is then
 * sent; otherwise the worker itself is the connection. A second call in the same worker changes nothing.
 *
 * @param serve gets the connection, and the ports that came beside it.
 * @param obey gets the orders (`WorkerStart`).
 */
export function serveStarter(
  serve: (scope: WorkerScope, ports: readonly MessagePort[]) => void,
  obey: (orders: Orders) => void = () => undefined,
): void {
  const scope = globalThis as unknown as Worker & { [SERVED]?: true };
  if (scope[SERVED]) return;
  scope[SERVED] = true;
  const serveOn = (endpoint: Worker | MessagePort, ports: readonly MessagePort[]): void => {
    // An error of the worker reaches whoever started it. Without one the caller would wait for ever for an answer.
    endpoint.addEventListener('messageerror', () => globalThis.reportError(new Error(UNREADABLE)));
    serve(
      { endpoint, emit: (event) => endpoint.postMessage(eventMessage(event)), messagesHandled: webMessagesHandled },
      ports,
    );
  };
  const onPorts = ({ ports: [connection, ...others] }: MessageEvent): void => serveOn(connection!, others);
  const onOrders = ({ data }: MessageEvent<Orders>): void => {
    obey(data);
    if (!data.byPort) {
      serveOn(scope, []);
      return;
    }
    scope.addEventListener('message', onPorts, { once: true });
    scope.postMessage(undefined);
  };
  scope.addEventListener('message', onOrders, { once: true });
}

/** A macrotask that is no timer: a message of the thread to itself. */
export function webMessagesHandled(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
