import { type PrepareRequest, repreparePoints } from '../cpu/pool/prepare.js';
import { RestorableBytes } from '../cpu/pool/restorable-bytes.js';
import type { Share } from '../cpu/pool/shares.js';
import type { WasmBases } from '../cpu/pool/wasm-msm.js';
import { asPippinError } from '../errors.js';
import type { GpuBases, GpuMsm } from '../gpu/msm/gpu-msm.js';
import type { MsmOptions } from '../msm/backend.js';
import { multiplyBatch } from '../msm/multiply.js';
import type { BasesOutline, PreparedBases } from '../msm/prepared.js';
import type { ProofPart } from '../progress.js';
import { type Backends, isBackendFault } from './backends.js';
import type { Call } from './call.js';

/** What a multiplication, or a batch of them, is told beside its operands. */
interface MultiplyOptions {
  readonly part?: ProofPart;
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Prepared bases with the copies of them that lie ready: on the GPU, on the workers, or both. Where a lost device or a dead worker
 * must be given them again, they are prepared again.
 */
export class LoadedBases {
  private onGpu: { readonly msm: GpuMsm; readonly bases: Promise<GpuBases> } | undefined;
  private onWorkers: Promise<WasmBases> | undefined;

  readonly outline: BasesOutline;
  private readonly points: RestorableBytes;

  /**
   * @param request prepares the points once more.
   * @param shares which worker is to keep what, where the workers do the work; equal shares when left out.
   */
  constructor(
    { points, ...outline }: PreparedBases,
    request: PrepareRequest,
    private readonly backends: Backends,
    private readonly shares?: readonly Share[],
  ) {
    this.outline = outline;
    this.points = new RestorableBytes(points, repreparePoints(backends.pool, request));
  }

  /** Copies the bases to where the next multiplication will want them. */
  async load(call: Call, part?: ProofPart): Promise<void> {
    const { curve, group } = this.outline;
    const gpu = this.backends.gpuMsm(curve, group);
    if (gpu === undefined) {
      await call.span('upload', 'wasm', () => this.workerBases(call.signal), part);
      return;
    }
    try {
      await call.span('upload', 'webgpu', async () => this.gpuBases(await gpu, call.signal), part);
    } catch (error) {
      // The multiplication will meet the same fault and see to it.
      if (!isBackendFault(error)) throw error;
    }
  }

  /** Frees the prepared points, once they have been loaded and saved. */
  freePoints(): Promise<void> {
    return this.points.free();
  }

  /** sum k_i P_i as an affine point, computed where `multiplyBatch` would. */
  async multiply(
    scalars: Uint8Array,
    call: Call,
    options: MultiplyOptions & { readonly gpuOnly: boolean },
  ): Promise<Uint8Array> {
    const [point] = await this.multiplyBatch(scalars, 1, call, options);
    return point!;
  }

  /** The same on the workers, whatever the GPU could do. */
  async multiplyOnWorkers(scalars: Uint8Array, call: Call, options: MultiplyOptions): Promise<Uint8Array> {
    const [point] = await this.batchOnWorkers(scalars, 1, call, options);
    return point!;
  }

  /**
   * `batch` multiplications, each as an affine point. On the GPU where there is one; when it fails, or one of its results is
   * wrong, it is opened again once, and then the workers do all the work (or, where the caller asked for WebGPU alone, the
   * call fails).
   */
  async multiplyBatch(
    scalars: Uint8Array,
    batch: number,
    call: Call,
    options: MultiplyOptions & { readonly gpuOnly: boolean },
  ): Promise<Uint8Array[]> {
    const { curve, group } = this.outline;
    for (let attempt = 0; ; attempt++) {
      const gpu = this.backends.gpuMsm(curve, group);
      if (gpu === undefined) break;
      try {
        return await this.batchOnGpu(gpu, scalars, batch, call, options);
      } catch (error) {
        if (!isBackendFault(error)) throw error;
        const fault = asPippinError(error);
        if (fault.code === 'DEVICE_LOST' && attempt === 0 && (await this.backends.reopenGpu(gpu))) continue;
        if (options.gpuOnly) throw fault;
        if (fault.code !== 'OUT_OF_MEMORY') this.backends.distrustGpu(fault.message);
        call.notice(
          'WEBGPU_DISTRUSTED',
          `the GPU failed (${fault.code}: ${fault.message}); the WASM workers did its work`,
        );
        break;
      }
    }
    return this.batchOnWorkers(scalars, batch, call, options);
  }

  release(): void {
    this.onGpu?.bases.then((bases) => bases.release()).catch(() => undefined);
    this.onWorkers?.then((bases) => bases.release()).catch(() => undefined);
    this.onGpu = undefined;
    this.onWorkers = undefined;
  }

  private batchOnWorkers(
    scalars: Uint8Array,
    batch: number,
    call: Call,
    options: MultiplyOptions,
  ): Promise<Uint8Array[]> {
    const { curve, group } = this.outline;
    call.computedBy(options.part ?? 'msm', 'wasm');
    return call.span(
      'msm',
      'wasm',
      async () => {
        const bases = await this.workerBases();
        const arithmetic = this.backends.arithmetic(curve, group, call.signal);
        const { wasm } = this.backends;
        return multiplyBatch(wasm, bases, this.outline, scalars, batch, arithmetic, msmOptions(call, options));
      },
      options.part,
    );
  }

  private batchOnGpu(
    gpu: Promise<GpuMsm>,
    scalars: Uint8Array,
    batch: number,
    call: Call,
    options: MultiplyOptions,
  ): Promise<Uint8Array[]> {
    const { curve, group } = this.outline;
    call.computedBy(options.part ?? 'msm', 'webgpu');
    return call.span(
      'msm',
      'webgpu',
      async () => {
        const msm = await gpu;
        const bases = await this.gpuBases(msm);
        const arithmetic = this.backends.arithmetic(curve, group, call.signal);
        return multiplyBatch(msm, bases, this.outline, scalars, batch, arithmetic, msmOptions(call, options));
      },
      options.part,
    );
  }

  /**
   * The bases on this GPU; those of a lost one are forgotten with it. A failed upload is not kept. A signal is given only
   * where no other call can be waiting for the same copy.
   */
  private gpuBases(msm: GpuMsm, signal?: AbortSignal): Promise<GpuBases> {
    if (this.onGpu?.msm === msm) return this.onGpu.bases;
    const bases = this.points.get().then((points) => msm.load({ ...this.outline, points }, { signal }));
    const entry = { msm, bases };
    bases.catch(() => {
      if (this.onGpu === entry) this.onGpu = undefined;
    });
    this.onGpu = entry;
    return bases;
  }

  private workerBases(signal?: AbortSignal): Promise<WasmBases> {
    if (this.onWorkers !== undefined) return this.onWorkers;
    const bases = this.backends.wasm.load(this.outline, this.points, { signal, shares: this.shares });
    bases.catch(() => {
      if (this.onWorkers === bases) this.onWorkers = undefined;
    });
    this.onWorkers = bases;
    return bases;
  }
}

function msmOptions(call: Call, { onProgress }: MultiplyOptions): MsmOptions {
  return { signal: call.signal, onProgress };
}
