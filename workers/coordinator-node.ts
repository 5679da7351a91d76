import { exposeEngine } from '../sdk/engine/engine.js';
import { nodeEnginePlatform } from '../sdk/hosts/node/node-engine.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';

exposeEngine(nodeEnginePlatform, nodeWorkerScope());
