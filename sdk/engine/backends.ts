import type { Capabilities } from '../api.js';
import { KernelPool } from '../cpu/pool/pool.js';
import { WasmMsm } from '../cpu/pool/wasm-msm.js';
import { CURVES, type CurveId, type GroupId } from '../curves/index.js';
import { asPippinError, PippinError } from '../errors.js';
import { GpuMsm } from '../gpu/msm/gpu-msm.js';
import { type GpuDevice, openDevice } from '../gpu/runtime/device.js';
import type { PointArithmetic } from '../msm/multiply.js';
import { pointForm } from '../msm/prepared.js';
import type { NoticeCode } from '../progress.js';
import type { PairingArithmetic } from '../proofs/groth16/verify.js';
import type { EngineConfig } from './engine-api.js';
import type { EnginePlatform } from './platform.js';

/** An open GPU with the pipelines of the curves that have been asked for. */
interface OpenGpu {
  readonly device: GpuDevice;
  readonly msm: Map<CurveId, Promise<GpuMsm>>;
}

/** Times a lost GPU is opened again before it is left alone. */
const MAX_REOPENINGS = 3;

/** Who can compute: the kernel workers always, the GPU where there is one that can be trusted. */
export class Backends {
  readonly pool: KernelPool;
  readonly wasm: WasmMsm;
  private readonly curves = new Map<CurveId, Promise<void>>();
  private gpu: OpenGpu | undefined;
  private gpuAbsence = 'the caller chose the wasm backend';
  private reopenings = 0;
  private reopening: Promise<boolean> | undefined;
  /** Fulfilled when the devices that were let go have answered everything. */
  private closing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly platform: EnginePlatform,
    private readonly config: EngineConfig,
    threads: number,
  ) {
    this.pool = new KernelPool(() => platform.spawnKernel(config.assets), threads);
    this.wasm = new WasmMsm(this.pool);
  }

  /** Starts the workers and, unless the choice is `wasm`, opens the GPU. */
  static async start(
    platform: EnginePlatform,
    config: EngineConfig,
    threads: number,
    notice: (code: NoticeCode, message: string) => void,
  ): Promise<Backends> {
    const backends = new Backends(platform, config, threads);
    if (config.backend === 'wasm') return backends;
    try {
      backends.gpu = await backends.openGpu();
      if (backends.gpu.device.info.isSoftware) {
        notice('WEBGPU_SOFTWARE', 'the WebGPU adapter is a software one: results are right, times mean nothing');
      }
    } catch (error) {
      const reason = asPippinError(error, 'WEBGPU_UNAVAILABLE');
      if (config.backend === 'webgpu') {
        await backends.dispose();
        throw reason;
      }
      backends.gpuAbsence = reason.message;
      notice('WEBGPU_UNAVAILABLE', `no usable GPU (${reason.message}); the WASM workers do all the work`);
    }
    return backends;
  }

  describe(): Pick<Capabilities, 'backend' | 'webgpu' | 'threads'> {
    const threads = this.pool.size;
    if (this.gpu === undefined)
      return { backend: 'wasm', webgpu: { available: false, reason: this.gpuAbsence }, threads };
    const { vendor, architecture, description, isSoftware } = this.gpu.device.info;
    return {
      backend: 'webgpu',
      webgpu: { available: true, vendor, architecture, description, software: isSoftware },
      threads,
    };
  }

  /** Makes a curve's kernels ready on the workers, and begins with its pipelines on the GPU. */
  open(curve: CurveId): Promise<void> {
    this.gpuMsm(curve, 'g1')?.catch(() => undefined);
    let opened = this.curves.get(curve);
    if (opened === undefined) {
      opened = this.platform.compileWasm(curve, this.config.assets).then((module) => this.pool.open(curve, module));
      // A failed attempt, such as a broken download, is not kept.
      opened.catch(() => this.curves.delete(curve));
      this.curves.set(curve, opened);
    }
    return opened;
  }

  /** The GPU's multiplication for a group, or undefined when the workers are to do it. */
  gpuMsm(curve: CurveId, group: GroupId): Promise<GpuMsm> | undefined {
    if (this.gpu === undefined || group !== 'g1' || CURVES[curve].wgslLimbsPerTurn === undefined) return undefined;
    let msm = this.gpu.msm.get(curve);
    if (msm === undefined) {
      msm = GpuMsm.create(this.gpu.device, curve, { memoryBudget: this.config.memoryBudget });
      this.gpu.msm.set(curve, msm);
    }
    return msm;
  }

  /**
   * After a lost device: a fresh adapter and device, a few times. False when there is none to be had. Multiplications
   * that were under way together fail together; the first one to come here with the `lost` one opens it for all.
   */
  async reopenGpu(lost: Promise<GpuMsm>): Promise<boolean> {
    if (this.reopening === undefined && this.gpu !== undefined && ![...this.gpu.msm.values()].includes(lost))
      return true;
    this.reopening ??= this.openAgain().finally(() => {
      this.reopening = undefined;
    });
    return this.reopening;
  }

  /** Uses the GPU no more. */
  distrustGpu(reason: string): void {
    this.closeGpu(reason);
    this.reopenings = MAX_REOPENINGS;
  }

  /** The end of a multiplication, on any idle worker. */
  arithmetic(curve: CurveId, group: GroupId, signal: AbortSignal | undefined): PointArithmetic {
    const options = { signal, urgent: true };
    const form = pointForm(curve);
    return {
      reduceWindows: (sums, windowBits) =>
        this.pool.call(curve, 'reduceWindows', { group, form, sums, windowBits }, options),
      combine: (points, scalars) => this.pool.call(curve, 'combine', { group, points, scalars }, options),
      isOnCurve: (point) => this.pool.call(curve, 'isOnCurve', { group, point }, options),
    };
  }

  /** What a verification over the curve computes with, on any idle worker; the curve's kernels must be open. */
  pairings(curve: CurveId, signal: AbortSignal | undefined): PairingArithmetic {
    const options = { signal, urgent: true };
    return {
      combine: (args) => this.pool.call(curve, 'combine', args, options),
      isInSubgroup: (args) => this.pool.call(curve, 'isInSubgroup', args, options),
      pairingProductIsOne: (args) => this.pool.call(curve, 'pairingProductIsOne', args, options),
    };
  }

  /** Ends the workers at once; fulfilled when the GPU has been let go, and the thread may end. */
  async dispose(): Promise<void> {
    this.closeGpu('the prover was disposed');
    this.pool.dispose();
    await this.closing;
  }

  private async openAgain(): Promise<boolean> {
    this.closeGpu('the GPU device was lost');
    if (this.reopenings >= MAX_REOPENINGS) return false;
    this.reopenings++;
    try {
      this.gpu = await this.openGpu();
      return true;
    } catch (error) {
      this.gpuAbsence = asPippinError(error).message;
      return false;
    }
  }

  private async openGpu(): Promise<OpenGpu> {
    const gpu = await this.platform.gpu();
    if (gpu === undefined)
      throw new PippinError('WEBGPU_UNAVAILABLE', 'expected WebGPU, got an environment without it');
    return { device: await openDevice(gpu), msm: new Map() };
  }

  private closeGpu(reason: string): void {
    const { gpu } = this;
    if (gpu === undefined) return;
    this.gpu = undefined;
    this.gpuAbsence = reason;
    for (const msm of gpu.msm.values()) msm.then((m) => m.destroy()).catch(() => undefined);
    this.closing = Promise.all([this.closing, gpu.device.destroy()]);
  }
}

/** Whether an error says that the backend failed, rather than that the caller asked for something wrong or stopped it. */
export function isBackendFault(error: unknown): boolean {
  const faults: readonly unknown[] = [
    'DEVICE_LOST',
    'OUT_OF_MEMORY',
    'RESULT_INVALID',
    'INTERNAL',
    'WEBGPU_UNAVAILABLE',
  ];
  return error instanceof PippinError && faults.includes(error.code);
}
