import type { AdapterTimes, Capabilities, MemoryPeaks, PerformanceMap } from '../api/index.js';
import type { NoticeCode } from '../api/progress.js';
import { PippinError } from '../base/errors.js';
import type { CompleteMsmBackend, MsmBackend, MsmExecutor, Share } from '../bases/backend.js';
import { loadDeferredMsmCode } from '../bases/cached-points.js';
import { finishing } from '../bases/finishing.js';
import { gpuOrWorkers, type MsmDevice } from '../bases/gpu-or-workers.js';
import { type BasesPlace, LoadedBases } from '../bases/loaded-bases.js';
import { poolArithmetic } from '../bases/point-arithmetic.js';
import { type PreparedBases, pointForm } from '../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, hasGpuKernels } from '../curves/index.js';
import { GPU_CAPABILITIES, WORKERS_CAPABILITIES } from '../executors/capabilities.js';
import type { CutDigits, GpuMsm } from '../executors/gpu/msm/gpu-msm.js';
import type { GpuQuotient } from '../executors/gpu/polynomials/gpu-quotient.js';
import type { GpuDevice } from '../executors/gpu/runtime/device.js';
import type { RemoteGpu } from '../executors/remote/remote-gpu.js';
import { KernelPool } from '../executors/workers/pool/pool.js';
import { type PrepareRequest, repreparePoints } from '../executors/workers/pool/prepare.js';
import { RestorableBytes } from '../executors/workers/pool/restorable-bytes.js';
import type { WasmBases, WasmMsm } from '../executors/workers/pool/wasm-msm.js';
import type { Reopenable } from '../proofs/proof-system.js';
import type { FallibleExecutor } from '../recovery/attempt.js';
import type { EngineConfig } from './engine-api.js';
import { GpuAccess } from './gpu-access.js';
import type { CheckByWeights } from './open-gpu.js';
import type { EnginePlatform } from './platform.js';
import type { TunableMsm, tunableMsm } from './tune/tunable-msm.js';

/** What can compute: the kernel workers always, and the GPU if there is one that can be trusted. */
export class Backends {
  readonly pool: KernelPool;
  private readonly gpu: GpuAccess;
  readonly wasm: MsmBackend<WasmBases>;
  readonly workers: CompleteMsmBackend;
  /** GPUs that other processes use. */
  remotes: readonly RemoteGpu[] = [];
  readonly arithmeticFor: ReturnType<typeof poolArithmetic>;
  private readonly curves = new Map<CurveId, Promise<void>>();

  private constructor(
    private readonly platform: EnginePlatform,
    readonly config: EngineConfig,
    threads: number,
    knownMap: Promise<PerformanceMap | undefined>,
    notice: (code: NoticeCode, message: string) => void,
  ) {
    this.pool = new KernelPool(
      () => platform.spawnKernel(config.assets),
      threads,
      ({ message }) => notice('WORKER_REPLACED', `a kernel worker was replaced (${message}); its work is done again`),
      config.memoryBudget,
    );
    this.arithmeticFor = poolArithmetic(this.pool);
    this.wasm = workersMsm(this.pool);
    this.workers = finishing(this.wasm, this.arithmeticFor);
    const { backend: choice, memoryBudget } = config;
    const { arithmeticFor } = this;
    const digitsFor =
      (curve: CurveId): CutDigits =>
      (request, signal) =>
        this.pool.call(curve, 'cutDigits', request, { signal });
    this.gpu = new GpuAccess(platform, { choice, memoryBudget, arithmeticFor, digitsFor, knownMap, notice });
  }

  /**
   * Starts the workers and, unless the choice is `wasm`, opens the GPU; only for the choice `webgpu` the promise waits
   * for it.
   */
  static async start(
    platform: EnginePlatform,
    config: EngineConfig,
    threads: number,
    knownMap: Promise<PerformanceMap | undefined>,
    notice: (code: NoticeCode, message: string) => void,
  ): Promise<Backends> {
    const backends = new Backends(platform, config, threads, knownMap, notice);
    const opening = backends.openRemotes(notice);
    try {
      await Promise.all([knownMap, backends.gpu.start(), opening]);
    } catch (error) {
      await opening.catch(() => undefined);
      await backends.dispose();
      throw error;
    }
    return backends;
  }

  /** Starts the processes with further GPUs. */
  private async openRemotes(notice: (code: NoticeCode, message: string) => void): Promise<void> {
    const { platform, config } = this;
    if (config.devices === undefined || config.devices.length === 0) return;
    if (platform.openRemoteGpus === undefined) {
      throw new PippinError('INVALID_ARGUMENT', 'expected no devices, got some where there are no processes', {
        hint: 'devices are for Node',
      });
    }
    this.remotes = await platform.openRemoteGpus(config, notice);
  }

  /**
   * Prefetches in the background the code that calls need only after a failure or on request: `parts`, and what the
   * workers need to compute. From then on calls need no network for it, and no page waits for it before its first
   * result. What cannot be fetched now is fetched on demand.
   */
  prefetchCode(curve: CurveId, parts: readonly (() => Promise<unknown>)[] = []): void {
    // A browser may cache a failed import.
    if (globalThis.navigator?.onLine === false) return;
    for (const load of [loadWorkersMsm, ...parts, () => this.openScalars(curve)]) load().catch(() => undefined);
  }

  describe(): Pick<Capabilities, 'backend' | 'webgpu' | 'threads'> {
    return {
      backend: this.gpu.isOpen ? 'webgpu' : 'wasm',
      webgpu: this.gpu.describe(),
      threads: this.config.threads === 0 ? 0 : this.pool.size,
    };
  }

  get memoryPeaks(): MemoryPeaks {
    return { workers: this.pool.memory.budget.peak, gpu: this.gpu.peakBytes };
  }

  /**
   * Opens a curve's kernels on the workers, and starts to compile the pipelines of these groups for the GPU. What only
   * the workers' own MSMs and transforms need is loaded beside it, or later (`openScalars`) where a GPU will compute
   * them.
   */
  openCurve(curve: CurveId, groups: readonly GroupId[]): Promise<void> {
    for (const group of groups) if (this.isForGpu(curve, group)) this.gpu.on(curve, group);
    let opened = this.curves.get(curve);
    if (opened === undefined) {
      opened = this.pool.open(curve, (part) => this.platform.compileWasm(curve, part, this.config.assets));
      if (!this.gpu.isExpected) {
        // The failure shows when a call needs it.
        this.pool.openScalars(curve).catch(() => undefined);
        loadWorkersMsm().catch(() => undefined);
      }
      // After a failure, such as an interrupted download, the next call retries.
      opened.catch(() => this.curves.delete(curve));
      this.curves.set(curve, opened);
    }
    return opened;
  }

  /**
   * Loads what the workers need for MSMs and transforms over a curve, as the fallback for a GPU that fails. A call that
   * needs it does this itself.
   */
  async openScalars(curve: CurveId): Promise<void> {
    await this.openCurve(curve, []);
    await this.pool.openScalars(curve);
  }

  /** The executor of MSMs over a group's points at present. */
  executorOf(curve: CurveId, group: GroupId): MsmExecutor {
    return this.msm(curve, group).capabilities.executor;
  }

  /**
   * Prepared bases that can be loaded onto their executor.
   *
   * @param request used to prepare the points once more, for a new GPU device or worker.
   * @param shares the share of each worker when the workers compute; equal shares by default.
   */
  hold(prepared: PreparedBases, request: PrepareRequest, shares?: readonly Share[]): LoadedBases {
    return this.holdOn(this.msm(prepared.curve, prepared.group), prepared, request, { shares });
  }

  /** The same on a backend. */
  holdOn(
    backend: CompleteMsmBackend,
    { points, ...outline }: PreparedBases,
    request: PrepareRequest,
    options: Pick<BasesPlace, 'shares' | 'checksResults'>,
  ): LoadedBases {
    const { arithmeticFor } = this;
    return new LoadedBases(outline, new RestorableBytes(points, repreparePoints(this.pool, request)), {
      backend,
      arithmeticFor,
      ...options,
    });
  }

  /** What was measured on the adapter that is open; undefined if there is none. */
  get measuredTimes(): AdapterTimes | undefined {
    return this.gpu.measuredTimes;
  }

  /** See `GpuAccess`. */
  get isUnmeasured(): boolean {
    return this.gpu.isUnmeasured;
  }

  /** A group's MSMs on the GPU, to be measured; undefined if the caller wants no GPU, or there is none. */
  async tunableOnGpu(curve: CurveId, group: GroupId, tunable: typeof tunableMsm): Promise<TunableMsm | undefined> {
    return this.isForGpu(curve, group) ? this.gpu.tunable(curve, group, tunable) : undefined;
  }

  /** What computes a group's MSMs on the GPU, for its plans; undefined if there is no device that is to be used. */
  msmOn(curve: CurveId, group: GroupId): Promise<GpuMsm | undefined> {
    return this.gpu.msmOn(curve, group);
  }

  /**
   * What computes with polynomials on the GPU; undefined if the caller wants no GPU, or the curve has no transforms.
   */
  gpuPolynomials(curve: CurveId): Reopenable<GpuQuotient> | undefined {
    if (this.config.backend === 'wasm' || CURVES[curve].transforms === undefined) return undefined;
    return this.gpu.quotients(curve);
  }

  /** The GPU device that is open or being opened; undefined if there is none. */
  get gpuDevice(): Promise<GpuDevice> | undefined {
    return this.gpu.device;
  }

  /** The GPU, as an executor that may be used no more. */
  get gpuExecutor(): FallibleExecutor {
    return this.gpu.executor;
  }

  /** Ends the workers at once. Fulfilled when the GPU has been released and the thread may end. */
  async dispose(): Promise<void> {
    const closing = [this.gpu.dispose(), this.pool.dispose()];
    for (const remote of this.remotes) remote.dispose();
    await Promise.all(closing);
  }

  /**
   * The backend for a group's MSMs: the GPU with the workers as its fallback, if it can compute the group's MSMs;
   * otherwise the workers.
   *
   * @param check for MSMs that callers cannot verify: checks the GPU's results by random weights. They can be compared
   * with the workers' results, too.
   */
  msm(curve: CurveId, group: GroupId, check?: CheckByWeights): CompleteMsmBackend {
    const gpu = this.onGpu(curve, group, check);
    const { workers } = this;
    const compareWith = check && workers;
    return gpu === undefined ? workers : gpuOrWorkers({ gpu, workers, compareWith, waits: gpu.isRequired });
  }

  /**
   * The GPU for a group's MSMs; undefined if the caller wants none, or it cannot compute them. For a caller who
   * requires WebGPU every fault is an error, and the next call retries the GPU, unless its result was wrong.
   */
  onGpu(curve: CurveId, group: GroupId, check?: CheckByWeights): MsmDevice | undefined {
    return this.isForGpu(curve, group) ? this.gpu.msm(curve, group, check) : undefined;
  }

  /** Whether a GPU, if there is one, computes the MSMs over a group. */
  private isForGpu(curve: CurveId, group: GroupId): boolean {
    const { groups, forms } = GPU_CAPABILITIES;
    if (this.config.backend === 'wasm' || !hasGpuKernels(curve)) return false;
    return groups.includes(group) && forms.includes(pointForm(curve, group));
  }
}

const loadWorkersMsm = () => loadDeferredMsmCode("the workers' MSMs");

/** `WasmMsm`, whose code is loaded with the first bases: where a GPU computes there may be none. */
function workersMsm(pool: KernelPool): MsmBackend<WasmBases> {
  let made: WasmMsm | undefined;
  const msm = async (): Promise<WasmMsm> => {
    const { WasmMsm } = await loadWorkersMsm();
    made ??= new WasmMsm(pool);
    return made;
  };
  return {
    capabilities: WORKERS_CAPABILITIES,
    load: async (...given) => (await msm()).load(...given),
    multiplyBatch: async (...given) => (await msm()).multiplyBatch(...given),
  };
}
