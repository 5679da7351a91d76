import { loadPart } from '../base/load-part.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { PreparedBases } from '../bases/prepared.js';
import { randomlyChecked } from '../bases/random-check.js';
import type { PrepareRequest } from '../executors/workers/pool/prepare.js';
import { fallback } from '../recovery/fallback.js';
import { recomputed } from '../recovery/recompute-check.js';
import type { SumChecks } from './backends.js';
import type { EngineContext } from './context.js';
import { poolChecks } from './pool-checks.js';
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
  const checks: SumChecks = {
    byWeights: (sums) => randomlyChecked(sums, arithmetic, arithmeticFor),
    byWorkers: (sums) => recomputed(sums, workers),
  };
  const measured = choice === 'auto' && map?.workers.threads === pool.size ? map.workers : undefined;
  const times = backends.measuredTimes;
  const isKnown = measured !== undefined && times !== undefined;
  const predicted = isKnown && split !== false ? predictSplit(measured, times, curve, group, kept) : undefined;
  const gpu = backends.onGpu(curve, group, checks);
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
    const backend = choice === 'webgpu' ? fallback(divided, workers, { insist: true, wait: true }) : divided;
    return backends.holdOn(backend, prepared, request, { checksSums: true });
  }
  const onWorkers = isKnown && prefersWorkers(measured, times, curve, group, kept);
  const backend = onWorkers ? workers : backends.sums(curve, group, checks);
  return backends.holdOn(backend, prepared, request, { checksSums: true });
}
