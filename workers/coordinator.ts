import { exposeEngine } from '../sdk/engine/expose.js';
import { browserEnginePlatform } from '../sdk/platform/browser-engine.js';
import { webWorkerScope } from '../sdk/transport/web-worker.js';

exposeEngine(browserEnginePlatform, webWorkerScope());
