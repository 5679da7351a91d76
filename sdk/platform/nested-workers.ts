import type { EngineWorkers } from '../engine/platform.js';
import type { WorkerChannel } from '../transport/channel.js';
import { type CoordinatorWorker, ownWorker } from '../transport/coordinator-workers.js';
import { workerScript } from '../transport/trusted-scripts.js';
import { startScript } from './start-worker.js';

/** Bundlers find a worker's script only by the literal form `new Worker(new URL(...))`. */
const STARTS: Readonly<Record<CoordinatorWorker, () => Worker>> = {
  kernel: () => new Worker(new URL('./kernel.js', import.meta.url), { type: 'module' }),
  witness: () => new Worker(new URL('./witness.js', import.meta.url), { type: 'module' }),
};

/** A script that the caller named, as plain data. */
export interface PlainScript {
  readonly url: string;
  /** Whether it was given as a TrustedScriptURL, which cannot be sent to a worker. */
  readonly isTrusted: boolean;
}

/** What a coordinator needs to start its workers itself. */
export interface NestedOrders {
  /** The number of kernel workers. */
  readonly kernels: number;
  /** The scripts that the caller named, if any. */
  readonly scripts: Partial<Readonly<Record<CoordinatorWorker, PlainScript>>>;
}

/**
 * Starts the workers of a coordinator whose caller is a worker. The first ones start at once: where Firefox stands still in one of these starts, the coordinator never
 * reports that it runs, and another one takes its place.
 */
export function nestedWorkers({ kernels, scripts }: NestedOrders): EngineWorkers {
  const start = (name: CoordinatorWorker): WorkerChannel => {
    const script = scripts[name];
    const place = script && workerScript(script.url, script.isTrusted);
    return ownWorker((sent) => startScript(name, place, STARTS[name], sent));
  };
  const started = {
    kernel: Array.from({ length: kernels }, () => start('kernel')),
    witness: [start('witness')],
  };
  return {
    spawnKernel: () => started.kernel.pop() ?? start('kernel'),
    spawnWitness: () => started.witness.pop() ?? start('witness'),
  };
}
