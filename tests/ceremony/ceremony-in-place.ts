import { setImmediate as messagesHandled } from 'node:timers/promises';
import { type CeremonyPlatform, ceremonyOn } from '../../sdk/ceremony/ceremony.js';
import { KernelHost } from '../../sdk/executors/workers/kernel/kernel-host.js';
import { nodeCeremonyPlatform } from '../../sdk/hosts/node/node-ceremony.js';
import { FakeWorker } from '../support/fake-worker.js';
import { modulesFor } from '../support/wasm.js';

/** A ceremony whose kernels run on this thread. */
export const ceremonyInPlace = (platform: Partial<CeremonyPlatform> = {}) =>
  ceremonyOn({
    ...nodeCeremonyPlatform,
    threads: 2,
    compileWasm: (curve, part) => modulesFor(curve)(part),
    spawnKernel: () => new FakeWorker((emit) => new KernelHost(emit as (event: unknown) => void, messagesHandled)),
    ...platform,
  });
