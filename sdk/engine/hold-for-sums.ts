import { loadPart } from '../base/load-part.js';
import type { RevocableBackend, SumBackend } from '../bases/backend.js';
import { poolChecks } from '../bases/check-arithmetic.js';
import { gpuOrWorkers, type SumDevice } from '../bases/gpu-or-workers.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { PreparedBases } from '../bases/prepared.js';
import { randomlyChecked } from '../bases/random-check.js';
import type { PrepareRequest } from '../executors/workers/pool/prepare.js';
import type { EngineContext } from './context.js';
import type { CheckByWeights } from './gpu-access.js';
import { prefersWorkers } from './tune/performance-map.js';
import { predictSplit } from './tune/predict-split.js';

/**
 * Prepared bases for sums by themselves: divided among several GPUs, or among the GPU and the workers, where the caller asks for it or that
 * is known to be clearly faster; on the workers alone where these are known to be clearly faster for so few points.
 */
export async function holdForSums(
  { backends, config, map }: EngineContext,
  prepared: PreparedBases,
  request: PrepareRequest,
): Promise<LoadedBases> {
  const { curve, group, kept } = prepared;
  const { pool, wasm, workers, arithmeticFor } = backends;
  const { backend: choice, split = 'auto' } = config;
  const arithmetic = poolChecks(pool);
  const check: CheckByWeights = (sums) => randomlyChecked(sums, arithmetic, arithmeticFor);
  const measured = choice === 'auto' && map?.workers.threads === pool.size ? map.workers : undefined;
  const times = backends.measuredTimes;
  const isKnown = measured !== undefined && times !== undefined;
  const predicted = isKnown && split !== false ? predictSplit(measured, times, curve, group, kept) : undefined;
  const gpu = backends.onGpu(curve, group, check);
  const remotes = gpu === undefined ? [] : backends.remotes;
  if (split === true || predicted !== undefined || remotes.length > 0) {
    const { splitSums, EQUAL_RATES, GPU_ALONE } = await loadPart('split sums', () => import('./split-sums.js'));
    const sharers = {
      curve,
      group,
      gpu,
      remotes,
      // For a caller who requires WebGPU the workers have no share.
      workers: choice === 'webgpu' && split !== true ? undefined : { msm: wasm, count: pool.size },
      rates: predicted ?? (split === true ? EQUAL_RATES : GPU_ALONE),
      waits: choice === 'webgpu',
      arithmeticFor,
      checks: arithmetic,
      trusted: workers,
    };
    const divided = splitSums(sharers);
    const backend = choice === 'webgpu' ? onceGone(divided, workers) : divided;
    return backends.holdOn(backend, prepared, request, { checksSums: true });
  }
  const onWorkers = isKnown && prefersWorkers(measured, times, curve, group, kept);
  const backend = onWorkers ? workers : backends.sums(curve, group, check);
  return backends.holdOn(backend, prepared, request, { checksSums: true });
}

/** For a caller who requires WebGPU: sums that are divided among GPUs, and those of the workers once all of these are gone. */
function onceGone(divided: RevocableBackend, workers: SumBackend): SumBackend {
  const there = Promise.resolve(divided);
  const gpu: SumDevice = {
    capabilities: divided.capabilities,
    current: () => (divided.isAvailable ? there : undefined),
    isReady: () => divided.isReady,
    isRequired: true,
    distrust: () => undefined,
  };
  return gpuOrWorkers({ gpu, workers, compareWith: undefined, waits: true });
}
