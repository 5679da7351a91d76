import type { PerformanceMap } from '../api/index.js';
import type { ProofContext, WorkersPace } from '../proofs/proof-system.js';
import type { Backends } from './backends.js';
import type { BasesCache } from './bases-cache.js';
import type { EngineConfig } from './engine-api.js';
import type { EnginePlatform } from './platform.js';
import type { Precomputations } from './precomputations.js';
import type { Sources } from './sources/sources.js';
import type { WitnessWorkers } from './witness/witness-workers.js';

/** What the calls of a started engine work with. */
export interface EngineContext {
  readonly platform: EnginePlatform;
  readonly config: EngineConfig;
  readonly sources: Sources;
  readonly backends: Backends;
  readonly cache: BasesCache;
  /** What was measured on this device; MSMs are planned with it. */
  readonly map: PerformanceMap | undefined;
  readonly witnesses: WitnessWorkers;
  readonly workersPace: WorkersPace;
  readonly precomputations: Precomputations;
}

/** The parts of the context that a proof system works with. */
export function proofContext({ backends, cache, config, workersPace, precomputations }: EngineContext): ProofContext {
  return {
    pool: backends.pool,
    cache,
    mayChoose: config.backend === 'auto',
    workersPace,
    openCurve: (curve, groups) => backends.openCurve(curve, groups),
    executorOf: (curve, group) => backends.executorOf(curve, group),
    hold: (prepared, request, shares) => backends.hold(prepared, request, shares),
    arithmeticFor: backends.arithmeticFor,
    precompute: (request) => precomputations.precompute(request),
    gpuPolynomials: (curve) => backends.gpuPolynomials(curve),
    gpu: backends.gpuExecutor,
    gpuDevice: () => backends.gpuDevice,
  };
}
