import { exposeEngine } from '../sdk/engine/engine.js';
import type { EngineWorkers } from '../sdk/engine/platform.js';
import { browserEnginePlatform } from '../sdk/hosts/page/browser-engine.js';
import { type NestedOrders, nestedWorkers } from '../sdk/hosts/page/nested-workers.js';
import { workerOfCaller } from '../sdk/transport/coordinator-workers.js';
import { serveStarter } from '../sdk/transport/web-worker-channel.js';

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
