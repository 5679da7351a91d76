import { witnessHost } from '../sdk/engine/witness-host.js';
import { serveStarter } from '../sdk/transport/port-channel.js';
import { exposeMethods } from '../sdk/transport/remote.js';

serveStarter(({ endpoint, emit }) => exposeMethods(witnessHost(emit), endpoint));
