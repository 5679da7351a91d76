import { setImmediate as messagesHandled } from 'node:timers/promises';
import type { Prover, ProverOptions } from '../../sdk/api/index.js';
import { Engine } from '../../sdk/engine/engine.js';
import type { EngineEvent } from '../../sdk/engine/engine-api.js';
import { startEngineHere } from '../../sdk/engine/engine-here.js';
import type { EnginePlatform } from '../../sdk/engine/platform.js';
import { witnessHost } from '../../sdk/engine/witness/witness-host.js';
import { KernelHost } from '../../sdk/executors/workers/kernel/kernel-host.js';
import { nameOfUrl } from '../../sdk/files/source-name.js';
import { nodeCallerPlatform } from '../../sdk/hosts/node/node-caller.js';
import { nodeEnginePlatform } from '../../sdk/hosts/node/node-engine.js';
import { createProverOn } from '../../sdk/hosts/prover/prover.js';
import { nodeSameThreadChannel } from '../../sdk/transport/node-same-thread.js';
import { FakeWorker } from './fake-worker.js';
import { builtModules } from './in-process-engine.js';

/**
 * A prover that is made from the sources and whose workers all run on this thread, behind real message channels. So
 * tests can watch it and make it fail, and need only the built WASM. `replaced` replaces parts of Node's platform.
 */
export function inPlaceProver(options: ProverOptions, replaced: Partial<EnginePlatform> = {}): Promise<Prover> {
  return createInPlace({ cache: false, ...options, assets: { wasm: builtModules() } }, replaced);
}

/** The same with exactly these options, whatever they are. */
export function createInPlace(options: object, replaced: Partial<EnginePlatform> = {}): Promise<Prover> {
  const platform: EnginePlatform = {
    ...nodeEnginePlatform,
    gpuDelayMs: 0,
    spawnKernel: () => new FakeWorker((emit) => new KernelHost(emit, messagesHandled)),
    spawnWitness: () => new FakeWorker((emit: (line: string) => void) => witnessHost(emit)),
    ...replaced,
  };
  return createProverOn(
    {
      spawnCoordinator: () => new FakeWorker((emit: (event: EngineEvent) => void) => new Engine(platform, emit)),
      startEngineHere: async () => startEngineHere(platform, nodeSameThreadChannel),
      locate: nodeCallerPlatform.locate,
      describeLocation: (location) =>
        /^https?:/.test(String(location))
          ? { kind: 'url', url: String(location), name: nameOfUrl(String(location)) }
          : { kind: 'path', path: String(location) },
      disposeTimeoutMs: 5 * 60_000,
    },
    options,
  );
}
