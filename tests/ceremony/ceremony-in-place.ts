import { setImmediate as messagesHandled } from 'node:timers/promises';
import { bellmanOn } from '../../sdk/ceremony/bellman/bellman.js';
import { type CeremonyPlatform, ceremonyOn } from '../../sdk/ceremony/ceremony.js';
import { powersOfTauOn } from '../../sdk/ceremony/powers/powers-of-tau.js';
import { universalKeysOn } from '../../sdk/ceremony/universal/universal-keys.js';
import { KernelHost } from '../../sdk/executors/workers/kernel/kernel-host.js';
import { nodeCeremonyPlatform } from '../../sdk/hosts/node/node-ceremony.js';
import { FakeWorker } from '../support/fake-worker.js';
import { modulesFor } from '../support/wasm.js';

const platformInPlace = (platform: Partial<CeremonyPlatform>): CeremonyPlatform => ({
  ...nodeCeremonyPlatform,
  threads: 2,
  compileWasm: (curve, part) => modulesFor(curve)(part),
  spawnKernel: () => new FakeWorker((emit) => new KernelHost(emit as (event: unknown) => void, messagesHandled)),
  ...platform,
});

/** A ceremony whose kernels run on this thread. */
export const ceremonyInPlace = (platform: Partial<CeremonyPlatform> = {}) => ceremonyOn(platformInPlace(platform));

/** Powers of tau whose kernels run on this thread. */
export const powersInPlace = (platform: Partial<CeremonyPlatform> = {}) => powersOfTauOn(platformInPlace(platform));

/** Set-ups of PLONK and FFLONK whose kernels run on this thread. */
export const universalKeysInPlace = (platform: Partial<CeremonyPlatform> = {}) =>
  universalKeysOn(platformInPlace(platform));

/** Bellman's parameters with kernels on this thread. */
export const bellmanInPlace = (platform: Partial<CeremonyPlatform> = {}) => bellmanOn(platformInPlace(platform));
