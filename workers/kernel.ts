import { KernelHost } from '../sdk/cpu/kernel/kernel-host.js';
import { serveStarter } from '../sdk/transport/port-channel.js';
import { exposeMethods } from '../sdk/transport/remote.js';

serveStarter(({ endpoint, emit, messagesHandled }) => {
  exposeMethods(new KernelHost(emit, messagesHandled), endpoint);
});
