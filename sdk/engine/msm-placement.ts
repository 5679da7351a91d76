import { loadPart } from '../base/load-part.js';
import type { CompleteMsmBackend, RevocableBackend } from '../bases/backend.js';
import { poolChecks } from '../bases/check-arithmetic.js';
import { gpuOrWorkers, type MsmDevice } from '../bases/gpu-or-workers.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { PreparedBases } from '../bases/prepared.js';
import { randomlyChecked } from '../bases/random-check.js';
import type { PrepareRequest } from '../executors/workers/pool/prepare.js';
import type { Backends } from './backends.js';
import type { EngineContext } from './context.js';
import type { MsmRequest } from './engine-api.js';
import type { CheckByWeights } from './open-gpu.js';
import { mostWorkOnWorkers, NO_WORK, prefersWorkers } from './tune/predict-executor.js';
import { predictSplit } from './tune/predict-split.js';

/**
 * Who holds bases for MSMs outside a proof, and who computes each MSM over them. It is decided here alone. Who holds
 * them is decided by their number, since no scalars are known when they are loaded: several GPUs, or the GPU and the
 * workers, each a range of them, where the caller asks for it or that is known to be clearly faster; the workers alone
 * where they are known to be clearly faster, however many points an MSM has; otherwise the GPU, and the workers as well
 * where they are known to be faster for sparse scalars. Then each MSM's work decides who computes it.
 */
export class MsmPlacement {
  /** Whether the workers have a copy beside the GPU's; undefined as long as they need none. */
  private copy: Promise<boolean> | undefined;

  private constructor(
    private readonly context: EngineContext,
    readonly bases: LoadedBases,
    /** Whether the GPU, and the workers as its fallback, can have a copy each. */
    private readonly mayChoose: boolean,
  ) {}

  static async of(context: EngineContext, prepared: PreparedBases, request: PrepareRequest): Promise<MsmPlacement> {
    const { backends, config } = context;
    const { curve, group, kept } = prepared;
    const { pool, wasm, workers, arithmeticFor } = backends;
    const { backend: choice, split = 'auto' } = config;
    const check = checkByWeights(backends);
    const measured = measuredTimes(context);
    const predicted =
      measured !== undefined && split !== false
        ? predictSplit(measured.workers, measured.gpu, curve, group, kept)
        : undefined;
    const gpu = backends.onGpu(curve, group, check);
    const remotes = gpu === undefined ? [] : backends.remotes;
    const hold = (backend: CompleteMsmBackend, mayChoose = false): MsmPlacement =>
      new MsmPlacement(context, backends.holdOn(backend, prepared, request, { checksResults: true }), mayChoose);
    if (split === true || predicted !== undefined || remotes.length > 0) {
      const { splitBackend, EQUAL_RATES, GPU_ALONE } = await loadPart(
        'split MSMs',
        () => import('../bases/split/split-backend.js'),
      );
      const divided = splitBackend({
        curve,
        group,
        gpu,
        remotes,
        // For a caller who requires WebGPU the workers have no share.
        workers: choice === 'webgpu' && split !== true ? undefined : { msm: wasm, count: pool.size },
        rates: predicted ?? (split === true ? EQUAL_RATES : GPU_ALONE),
        waits: choice === 'webgpu',
        arithmeticFor,
        checks: poolChecks(pool),
        trusted: workers,
      });
      return hold(choice === 'webgpu' ? onceGone(divided, workers) : divided);
    }
    if (measured !== undefined && prefersWorkers(measured.workers, measured.gpu, curve, group, kept)) {
      return hold(workers);
    }
    // Where memory is limited, two copies might take it from what else is loaded.
    return hold(backends.msm(curve, group, check), gpu !== undefined && !pool.memory.budget.isLimited);
  }

  /**
   * The most work (`ScalarWork`) of an MSM, or of a batch of them together, that the workers are known to compute in
   * less time than the GPU. Negative where there is nothing to choose: bases lie in one place alone, a caller requires
   * an executor, or nothing was measured.
   */
  async mostWorkOnWorkers({
    batchSize,
    sharedBases,
    check = 'random',
  }: Pick<MsmRequest, 'batchSize' | 'sharedBases' | 'check'>): Promise<number> {
    const { outline } = this.bases;
    const measured = this.mayChoose ? measuredTimes(this.context) : undefined;
    // The workers compute what is compared in any case. MSMs with their own bases were not measured.
    if (measured === undefined || check === 'recompute' || !sharedBases) return NO_WORK;
    // The windows of a batch are computed together.
    const points = batchSize * outline.kept;
    const size = { curve: outline.curve, group: outline.group, points, isChecked: check === 'random' };
    const most = mostWorkOnWorkers(measured.workers, measured.gpu, size);
    if (most === NO_WORK) return NO_WORK;
    this.copy ??= this.bases.keepTrustedCopy(undefined).then(
      () => true,
      // For lack of memory: the GPU does without.
      () => false,
    );
    return (await this.copy) ? most : NO_WORK;
  }
}

/** The check of MSMs that callers cannot verify. */
export function checkByWeights({ pool, arithmeticFor }: Pick<Backends, 'pool' | 'arithmeticFor'>): CheckByWeights {
  const checks = poolChecks(pool);
  return (msm) => randomlyChecked(msm, checks, arithmeticFor);
}

/** What was measured on as many workers as there are, and on the GPU that is open, where the engine may choose. */
function measuredTimes({ backends, config, map }: EngineContext) {
  const gpu = backends.measuredTimes;
  const isKnown = config.backend === 'auto' && map?.workers.threads === backends.pool.size && gpu !== undefined;
  return isKnown ? { workers: map.workers, gpu } : undefined;
}

/**
 * For a caller who requires WebGPU: MSMs that are divided among GPUs, and fall back to the workers once all GPUs are
 * lost.
 */
function onceGone(divided: RevocableBackend, workers: CompleteMsmBackend): CompleteMsmBackend {
  const there = Promise.resolve(divided);
  const gpu: MsmDevice = {
    capabilities: divided.capabilities,
    current: () => (divided.isAvailable ? there : undefined),
    isReady: () => divided.isReady,
    isRequired: true,
    distrust: () => undefined,
  };
  return gpuOrWorkers({ gpu, workers, compareWith: undefined, waits: true });
}
