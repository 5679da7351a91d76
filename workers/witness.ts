import * as Comlink from 'comlink';
import { witnessHost } from '../sdk/engine/witness-host.js';
import { webWorkerScope } from '../sdk/transport/web-worker.js';

const { endpoint, emit } = webWorkerScope();
Comlink.expose(witnessHost(emit), endpoint);
