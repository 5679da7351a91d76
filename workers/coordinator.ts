import { exposeEngine } from '../sdk/engine/expose.js';
import { browserEnginePlatform } from '../sdk/platform/browser-engine.js';
import { workerOfCaller } from '../sdk/transport/coordinator-workers.js';
import { serveStarter } from '../sdk/transport/port-channel.js';

serveStarter((scope, [requests]) => {
  const workers = {
    spawnKernel: () => workerOfCaller(requests!, 'kernel'),
    spawnWitness: () => workerOfCaller(requests!, 'witness'),
  };
  exposeEngine({ ...browserEnginePlatform, ...workers }, scope);
});
