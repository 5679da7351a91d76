import { witnessHost } from '../sdk/engine/witness-host.js';
import { exposeMethods } from '../sdk/transport/remote.js';
import { webWorkerScope } from '../sdk/transport/web-worker.js';

const { endpoint, emit } = webWorkerScope();
exposeMethods(witnessHost(emit), endpoint);
