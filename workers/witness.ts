import { witnessHost } from '../sdk/engine/witness/witness-host.js';
import { exposeMethods } from '../sdk/transport/remote.js';
import { serveStarter } from '../sdk/transport/web-worker-channel.js';

serveStarter(({ endpoint, emit }) => exposeMethods(witnessHost(emit), endpoint));
