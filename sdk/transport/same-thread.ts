import type { Endpoint } from 'comlink';
import { PippinError } from '../base/errors.js';
import { dispatchEvent, eventMessage, type WorkerChannel, type WorkerScope } from './channel.js';
import { releaseRemote } from './remote.js';

/** Two connected ports of one thread, of a browser or of Node. */
export interface PortPair {
  /** The caller's port, and the callee's. */
  readonly near: Endpoint;
  readonly far: Endpoint;
  /** Calls the listener with every message that comes to the near port. */
  onMessage(listener: (message: unknown) => void): void;
  messagesHandled(): Promise<void>;
  close(): void;
  /** As in `WorkerChannel`. */
  setBusy?(isBusy: boolean): void;
}

/**
 * A connection like a worker's, to what runs on the caller's own thread. It ends when the caller terminates it, and it
 * never fails. Pending work then stops between its steps.
 *
 * @param start starts what would run in the worker, with its side of the connection.
 */
export function connectHere(ports: PortPair, start: (scope: WorkerScope) => void): WorkerChannel {
  const { near, far } = ports;
  let hasEnded = false;
  start({
    endpoint: far,
    emit: (event) => far.postMessage(eventMessage(event)),
    async messagesHandled() {
      await ports.messagesHandled();
      if (hasEnded) throw new PippinError('DISPOSED', 'expected a caller, got an end of its connection');
    },
  });
  return {
    endpoint: near,
    onEvent: (listener) => ports.onMessage((message) => dispatchEvent(message, listener)),
    onFailure: () => undefined,
    terminate() {
      hasEnded = true;
      ports.close();
      releaseRemote(near);
    },
    ...(ports.setBusy && { setBusy: ports.setBusy }),
  };
}
