import * as Comlink from 'comlink';
import { KernelHost } from '../sdk/cpu/kernel/kernel-host.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';

const scope = nodeWorkerScope();
Comlink.expose(new KernelHost(scope.emit), scope.endpoint);
