import * as Comlink from 'comlink';
import { witnessHost } from '../sdk/engine/witness-host.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';

const { endpoint, emit } = nodeWorkerScope();
Comlink.expose(witnessHost(emit), endpoint);
