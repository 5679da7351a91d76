import { exposeEngine } from '../../engine/engine.js';
import type { EngineWorkers } from '../../engine/platform.js';
import { workerOfCaller } from '../../transport/coordinator-workers.js';
import { serveStarter } from '../../transport/web-worker-channel.js';
import { browserEnginePlatform } from './browser-engine.js';
import { type NestedOrders, nestedWorkers } from './nested-workers.js';

/**
 * Called once by the script of a coordinator: serves the engine to the thread that started it, with the workers that
 * the orders ask for.
 */
export function serveCoordinator(): void {
  let nested: EngineWorkers | undefined;
  serveStarter(
    (scope, [requests]) => {
      const workers = nested ?? {
        spawnKernel: () => workerOfCaller(requests!, 'kernel'),
        spawnWitness: () => workerOfCaller(requests!, 'witness'),
      };
      exposeEngine({ ...browserEnginePlatform, ...workers }, scope);
    },
    (orders) => {
      if (orders.nested !== undefined) nested = nestedWorkers(orders.nested as NestedOrders);
    },
  );
}
