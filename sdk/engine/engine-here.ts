import { KernelHost } from '../executors/workers/kernel/kernel-host.js';
import type { WorkerChannel, WorkerScope } from '../transport/channel.js';
import { exposeMethods } from '../transport/remote.js';
import { exposeEngine } from './engine.js';
import type { EnginePlatform, ThreadPlatform } from './platform.js';
import { witnessHost } from './witness/witness-host.js';

/**
 * Starts an engine on the thread that calls this, with all that would run in its workers.
 *
 * @param connect makes a connection to what runs on this thread.
 */
export function startEngineHere(
  platform: ThreadPlatform,
  connect: (start: (scope: WorkerScope) => void) => WorkerChannel,
): WorkerChannel {
  const here: EnginePlatform = {
    ...platform,
    spawnKernel: () =>
      connect(({ endpoint, emit, messagesHandled }) => exposeMethods(new KernelHost(emit, messagesHandled), endpoint)),
    spawnWitness: () => connect(({ endpoint, emit }) => exposeMethods(witnessHost(emit), endpoint)),
  };
  return connect((scope) => exposeEngine(here, scope));
}
