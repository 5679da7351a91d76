import * as Comlink from 'comlink';
import { KernelHost } from '../sdk/cpu/kernel/kernel-host.js';
import { webWorkerScope } from '../sdk/transport/web-worker.js';

const scope = webWorkerScope();
Comlink.expose(new KernelHost(scope.emit), scope.endpoint);
