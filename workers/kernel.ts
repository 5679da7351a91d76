import { KernelHost } from '../sdk/cpu/kernel/kernel-host.js';
import { exposeMethods } from '../sdk/transport/remote.js';
import { webWorkerScope } from '../sdk/transport/web-worker.js';

const scope = webWorkerScope();
exposeMethods(new KernelHost(scope.emit, scope.messagesHandled), scope.endpoint);
