import type { EngineWorkers } from '../../engine/platform.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { type CoordinatorWorker, ownWorker } from '../../transport/coordinator-workers.js';
import { workerScript } from '../../transport/trusted-scripts.js';
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
  /**
   * The number of kernel workers that are started at once, with a witness worker. 0: all are started when they are
   * wanted.
   */
  readonly atOnce: number;
  /** The scripts that the caller named, if any. */
  readonly scripts: Partial<Readonly<Record<CoordinatorWorker, PlainScript>>>;
}

/**
 * Starts the workers of a coordinator. Where Firefox may stand still in one of these starts, the first ones start at
 * once: then the coordinator never reports that it runs, and another one takes its place.
 */
export function nestedWorkers({ atOnce, scripts }: NestedOrders): EngineWorkers {
  const start = (name: CoordinatorWorker): WorkerChannel => {
    const script = scripts[name];
    const place = script && workerScript(script.url, script.isTrusted);
    return ownWorker((sent) => startScript(name, place, STARTS[name], sent));
  };
  const kernels = Array.from({ length: atOnce }, () => start('kernel'));
  const witnesses = atOnce > 0 ? [start('witness')] : [];
  return {
    spawnKernel: () => kernels.pop() ?? start('kernel'),
    spawnWitness: () => witnesses.pop() ?? start('witness'),
  };
}
