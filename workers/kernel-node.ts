import { KernelHost } from '../sdk/executors/workers/kernel/kernel-host.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';
import { exposeMethods } from '../sdk/transport/remote.js';

const scope = nodeWorkerScope();
exposeMethods(new KernelHost(scope.emit, scope.messagesHandled), scope.endpoint);
