import { errorOf, plainError } from '../base/plain-error.js';
import type { WorkerChannel } from './channel.js';
import type { StartedWorker, WorkerStart } from './web-worker.js';
import { type Orders, workerChannel } from './web-worker-channel.js';
import { WorkerFailure } from './worker-failure.js';

/**
 * The workers of a coordinator in a browser. The coordinator starts them itself, but not in a page of Firefox, which at
 * times stands still for ever in a worker that starts workers (docs/architecture.md, facts): there the page starts
 * them. The coordinator asks for each by its name. With the name it sends two ports: the worker's end of their
 * connection, and one that carries the worker's failure to the coordinator, and any message back to end the worker.
 */
export type CoordinatorWorker = 'kernel' | 'witness';

export type WorkerName = 'coordinator' | CoordinatorWorker;

/** What is sent to a worker that is started. */
export type SentAtStart = Pick<WorkerStart, 'orders' | 'ports'>;

/** Starts a worker of a name. */
export type StartWorker = (name: WorkerName, sent: SentAtStart) => StartedWorker;

/**
 * Milliseconds between the end of a connection to a coordinator with nested workers and the end of the coordinator.
 * Chromium may never end a worker that is told to end while its own workers are ending: their threads stay as long as
 * the page, with their memory (docs/architecture.md, facts).
 */
const LAST_MS = 500;

/** On the caller's thread: starts a coordinator, and the workers that it asks for. They end with the connection. */
export function coordinatorChannel(start: StartWorker, orders: Orders): WorkerChannel {
  if (!orders.byPort) {
    const { worker, failure, terminate } = start('coordinator', { orders });
    return workerChannel(worker, failure, () => setTimeout(terminate, LAST_MS));
  }
  const calls = new MessageChannel();
  const requests = new MessageChannel();
  const coordinator = start('coordinator', { orders, ports: [calls.port2, requests.port2] });
  const workers = new Set<StartedWorker>();
  requests.port1.onmessage = ({ data: name, ports: [connection, control] }: MessageEvent<CoordinatorWorker>) => {
    const reportFailure = (error: unknown): void => control!.postMessage(plainError(error));
    try {
      const worker = start(name, { orders: { byPort: true }, ports: [connection!] });
      workers.add(worker);
      worker.failure.onFailure(reportFailure);
      control!.onmessage = () => {
        workers.delete(worker);
        worker.terminate();
        control!.close();
      };
    } catch (error) {
      reportFailure(error);
    }
  };
  return workerChannel(calls.port1, coordinator.failure, () => {
    requests.port1.close();
    for (const worker of workers) worker.terminate();
    if (orders.nested === undefined) coordinator.terminate();
    else setTimeout(() => coordinator.terminate(), LAST_MS);
  });
}

/** In a coordinator: a worker that the caller's thread is asked to start. */
export function workerOfCaller(requests: MessagePort, name: CoordinatorWorker): WorkerChannel {
  const calls = new MessageChannel();
  const control = new MessageChannel();
  requests.postMessage(name, [calls.port2, control.port2]);
  const failure = new WorkerFailure(name);
  control.port1.onmessage = ({ data }) => failure.reportError(errorOf(data));
  return workerChannel(calls.port1, failure, () => control.port1.postMessage(undefined));
}

/** A worker that the thread which uses it starts itself. */
export function ownWorker(start: (sent: SentAtStart) => StartedWorker): WorkerChannel {
  const { worker, failure, terminate } = start({ orders: { byPort: false } });
  return workerChannel(worker, failure, terminate);
}
