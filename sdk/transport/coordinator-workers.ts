import { errorOf, plainError } from '../plain-error.js';
import type { WorkerChannel } from './channel.js';
import { portChannel } from './port-channel.js';
import type { StartedWorker } from './web-worker.js';
import { WorkerFailure } from './worker-failure.js';

/**
 * Workers that a coordinator uses and the caller's thread starts for it, because Firefox at times never runs the script of a worker that another worker
 * starts (docs/architecture.md, facts). The coordinator asks for each by its name. With the name it sends two ports: the worker's end of their connection,
 * and one on which it is told of the worker's failure, and ends the worker by any message.
 */
export type CoordinatorWorker = 'kernel' | 'witness';

/** The scripts that the caller's thread starts. */
export type WorkerName = 'coordinator' | CoordinatorWorker;

/** Starts a worker, and sends it the ports when its script runs. */
export type StartWorker = (name: WorkerName, ports: MessagePort[]) => StartedWorker;

/** On the caller's thread: starts a coordinator, and the workers that it asks for. They end with the connection. */
export function coordinatorChannel(start: StartWorker): WorkerChannel {
  const calls = new MessageChannel();
  const requests = new MessageChannel();
  const coordinator = start('coordinator', [calls.port2, requests.port2]);
  const workers = new Set<StartedWorker>();
  requests.port1.onmessage = ({ data: name, ports: [connection, control] }: MessageEvent<CoordinatorWorker>) => {
    const tellFailure = (error: unknown): void => control!.postMessage(plainError(error));
    try {
      const worker = start(name, [connection!]);
      workers.add(worker);
      worker.failure.onFailure(tellFailure);
      control!.onmessage = () => {
        workers.delete(worker);
        worker.terminate();
        control!.close();
      };
    } catch (error) {
      tellFailure(error);
    }
  };
  return portChannel(calls.port1, coordinator.failure, () => {
    requests.port1.close();
    for (const worker of [coordinator, ...workers]) worker.terminate();
  });
}

/** In the coordinator: a worker that the caller's thread is asked to start. */
export function workerOfCaller(requests: MessagePort, name: CoordinatorWorker): WorkerChannel {
  const calls = new MessageChannel();
  const control = new MessageChannel();
  requests.postMessage(name, [calls.port2, control.port2]);
  const failure = new WorkerFailure(name);
  control.port1.onmessage = ({ data }) => failure.reportError(errorOf(data));
  return portChannel(calls.port1, failure, () => control.port1.postMessage(undefined));
}
