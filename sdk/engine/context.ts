import type { Backends } from './backends.js';
import type { BasesCache } from './bases-cache.js';
import type { EngineConfig } from './engine-api.js';
import type { EnginePlatform } from './platform.js';
import type { WitnessWorkers } from './witness-workers.js';

/** Everything started: what a call works with. */
export interface EngineContext {
  readonly platform: EnginePlatform;
  readonly config: EngineConfig;
  readonly backends: Backends;
  readonly cache: BasesCache;
  readonly witnesses: WitnessWorkers;
}
