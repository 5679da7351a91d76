import { KernelHost } from '../sdk/executors/workers/kernel/kernel-host.js';
import { exposeMethods } from '../sdk/transport/remote.js';
import { serveStarter } from '../sdk/transport/web-worker-channel.js';

serveStarter(({ endpoint, emit, messagesHandled }) => {
  exposeMethods(new KernelHost(emit, messagesHandled), endpoint);
});
