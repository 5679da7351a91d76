import { witnessHost } from '../sdk/engine/witness/witness-host.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';
import { exposeMethods } from '../sdk/transport/remote.js';

const { endpoint, emit } = nodeWorkerScope();
exposeMethods(witnessHost(emit), endpoint);
