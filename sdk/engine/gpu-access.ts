import type { AdapterTimes, BackendChoice, Capabilities, PerformanceMap } from '../api/index.js';
import type { NoticeCode } from '../api/progress.js';
import { asPippinError, PippinError } from '../base/errors.js';
import type { CompleteMsmBackend, MsmBackend } from '../bases/backend.js';
import { finishing } from '../bases/finishing.js';
import type { MsmDevice } from '../bases/gpu-or-workers.js';
import type { ArithmeticFor } from '../bases/point-arithmetic.js';
import type { CurveId, GroupId } from '../curves/index.js';
import { GPU_CAPABILITIES } from '../executors/capabilities.js';
import type { CutDigits, GpuMsm } from '../executors/gpu/msm/gpu-msm.js';
import type { GpuQuotient } from '../executors/gpu/polynomials/gpu-quotient.js';
import type { GpuDevice } from '../executors/gpu/runtime/device.js';
import type { Reopenable } from '../proofs/proof-system.js';
import type { FallibleExecutor } from '../recovery/attempt.js';
import { DeviceOpener, loadGpuCode, SoftwareAdapter } from './device-opener.js';
import { type CheckByWeights, type GroupOnGpu, groupKey, OnGpu, OpenGpu } from './open-gpu.js';
import type { EnginePlatform } from './platform.js';
import { nearestRow } from './tune/performance-map.js';
import type { TunableMsm, tunableMsm } from './tune/tunable-msm.js';

/** How often a lost GPU is reopened. */
const MAX_REOPENINGS = 3;

export interface GpuAccessOptions {
  readonly choice: BackendChoice;
  /** Bytes that all buffers on the GPU may take together. */
  readonly memoryBudget: number | undefined;
  /** Does the last steps of the MSMs that the GPU computes. */
  readonly arithmeticFor: ArithmeticFor;
  /** Decomposes scalars into digits on the workers, for MSMs that are tuned so. */
  readonly digitsFor: (curve: CurveId) => CutDigits;
  readonly notice: (code: NoticeCode, message: string) => void;
  /** What was measured on this machine. */
  readonly knownMap: Promise<PerformanceMap | undefined>;
}

/** Opens the GPU at the start, and again after it was lost, but never again once it has computed something wrong. */
export class GpuAccess {
  private gpu: OpenGpu | undefined;
  private readonly opener: DeviceOpener;
  private absence = 'the caller chose the wasm backend';
  private reopenings = 0;
  /** Set when no other device is to be opened. */
  private forbidden = false;
  private reopening: Promise<boolean> | undefined;
  /** Fulfilled when the devices that were closed have finished everything. */
  private closing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly platform: EnginePlatform,
    private readonly options: GpuAccessOptions,
  ) {
    this.opener = new DeviceOpener(platform, options.choice, options.memoryBudget, options.knownMap);
  }

  /**
   * Opens the GPU unless the choice is `wasm`. For `webgpu` the promise waits for it, and rejects with
   * `WEBGPU_UNAVAILABLE` when there is none; for `auto` the GPU opens while the workers begin.
   */
  async start(): Promise<void> {
    const { choice } = this.options;
    if (choice === 'wasm') return;
    const opening = new OpenGpu(this.opener.openAfter(choice === 'auto' ? this.platform.gpuDelayMs : 0));
    this.gpu = opening;
    const opened = this.noticeOpening(opening);
    if (choice === 'webgpu') await opened;
    else opened.catch(() => undefined);
  }

  get device(): Promise<GpuDevice> | undefined {
    return this.gpu?.device;
  }

  /** The most bytes that buffers of the device have taken at once; 0 if none is open. */
  get peakBytes(): number {
    return this.gpu?.memory?.budget.peak ?? 0;
  }

  get isOpen(): boolean {
    return this.gpu?.info !== undefined;
  }

  /** Whether there is a GPU, or one is being opened without delay. */
  get isExpected(): boolean {
    return this.isOpen || (this.gpu !== undefined && this.platform.gpuDelayMs === 0);
  }

  describe(): Capabilities['webgpu'] {
    if (this.gpu === undefined) return { available: false, opening: false, reason: this.absence };
    if (this.gpu.info === undefined)
      return { available: false, opening: true, reason: 'the GPU is still being opened' };
    const { vendor, architecture, description, isSoftware } = this.gpu.info;
    return { available: true, vendor, architecture, description, software: isSoftware };
  }

  /**
   * A group's MSMs on the device that is open or being opened; undefined if there is none. The first call for a group
   * starts to compile its pipelines.
   */
  on(curve: CurveId, group: GroupId, check?: CheckByWeights): Promise<CompleteMsmBackend> | undefined {
    if (this.gpu === undefined) return undefined;
    const { device, groups } = this.gpu;
    const key = groupKey(curve, group);
    let known = groups.get(key);
    if (known === undefined) {
      const { digitsFor } = this.options;
      const create = async (open: GpuDevice): Promise<GpuMsm> => {
        const { GpuMsm } = await loadGpuCode();
        const rows = this.opener.timesOf(open.info)?.rows;
        const measuredFor = (points: number) => rows && nearestRow(rows, curve, group, points);
        // Where calls wait for the GPU, they do not wait for this as well.
        const measureRates = !rows?.length && !open.info.isSoftware && this.options.choice === 'auto';
        const cutDigits = digitsFor(curve);
        return GpuMsm.create(open, curve, group, { measuredFor, measureRates, cutDigits });
      };
      const msm = new OnGpu(device.then(create));
      known = { msm, backend: this.finished(msm.created) };
      groups.set(key, known);
      this.onFailure(msm, () => groups.delete(key));
      this.noticeReady(curve, group, known);
    }
    if (check === undefined) return known.backend;
    known.checked ??= this.finished(known.msm.created.then(check));
    return known.checked;
  }

  private finished(parts: Promise<MsmBackend>): Promise<CompleteMsmBackend> {
    const { arithmeticFor } = this.options;
    const msm = parts.then((backend) => finishing(backend, arithmeticFor));
    msm.catch(() => undefined);
    return msm;
  }

  /**
   * A group's MSMs, when their kernels are compiled; undefined if there is no usable device.
   *
   * @param tunable what makes them, which few provers load.
   */
  async tunable(curve: CurveId, group: GroupId, tunable: typeof tunableMsm): Promise<TunableMsm | undefined> {
    const backend = this.on(curve, group);
    const known = this.gpu?.groups.get(groupKey(curve, group));
    if (this.gpu === undefined || backend === undefined || known === undefined) return undefined;
    const { device } = this.gpu;
    try {
      return await tunable(device, known, curve, group, this.options);
    } catch (error) {
      if (this.options.choice === 'webgpu') throw error;
      return undefined;
    }
  }

  /** Whether a hardware adapter is open of which nothing has been measured. */
  get isUnmeasured(): boolean {
    return this.gpu?.info?.isSoftware === false && this.measuredTimes === undefined;
  }

  /** What was measured on the adapter that is open; undefined if there is none. */
  get measuredTimes(): AdapterTimes | undefined {
    return this.gpu?.info && this.opener.timesOf(this.gpu.info);
  }

  /** The computation behind `on`, for its plans. */
  async msmOn(curve: CurveId, group: GroupId): Promise<GpuMsm | undefined> {
    if (this.on(curve, group) === undefined) return undefined;
    return this.gpu?.groups.get(groupKey(curve, group))?.msm.created;
  }

  /** The GPU for a group's MSMs: whichever device is open at the time. */
  msm(curve: CurveId, group: GroupId, check?: CheckByWeights): MsmDevice {
    const key = groupKey(curve, group);
    return {
      capabilities: GPU_CAPABILITIES,
      current: () => this.on(curve, group, check),
      isReady: () => this.gpu?.groups.get(key)?.msm.isReady ?? false,
      reopen: (lost) => this.reopen(key, lost),
      ...this.executor,
    };
  }

  /** The GPU as recovery sees it: required, unless the choice is `auto`. */
  get executor(): FallibleExecutor {
    return { isRequired: this.options.choice !== 'auto', distrust: (reason) => this.distrust(reason) };
  }

  /** A curve's quotients on the device that is open at the time, or is being opened. */
  quotients(curve: CurveId): Reopenable<GpuQuotient> {
    return {
      waits: this.options.choice === 'webgpu',
      current: () => this.quotientOn(curve),
      isReady: () => this.gpu?.quotients.get(curve)?.isReady ?? false,
    };
  }

  private quotientOn(curve: CurveId): Promise<GpuQuotient> | undefined {
    if (this.gpu === undefined) return undefined;
    const { device, quotients } = this.gpu;
    let known = quotients.get(curve);
    if (known === undefined) {
      const create = async (open: GpuDevice): Promise<GpuQuotient> => {
        const { GpuQuotient } = await loadGpuCode();
        return GpuQuotient.create(open, curve);
      };
      known = new OnGpu(device.then(create));
      quotients.set(curve, known);
      this.onFailure(known, () => quotients.delete(curve));
    }
    return known.created;
  }

  /**
   * For a caller who requires WebGPU, lets the next call retry what could not be made or compiled. With `auto` the
   * first use meets the failure, and the GPU is not used any more.
   */
  private onFailure<C extends GpuMsm | GpuQuotient>({ created }: OnGpu<C>, forget: () => void): void {
    if (this.options.choice !== 'webgpu') return;
    const letGo = (error: unknown): void => {
      // The first MSM that meets a lost device has another one opened, unless what it met has been replaced.
      if (error instanceof PippinError && error.code === 'DEVICE_LOST') return;
      forget();
      created.then((made) => made.destroy()).catch(() => undefined);
    };
    created.then(({ ready }) => ready).then(undefined, letGo);
  }

  /** Stops the use of the GPU for good. */
  distrust(reason: string): void {
    this.close(reason);
    this.forbidden = true;
  }

  /** Fulfilled when the GPU has been released and the thread may end. */
  async dispose(): Promise<void> {
    this.distrust('the prover was disposed');
    this.opener.stopWaiting();
    await this.closing;
  }

  /** Tells what became of the first opening. Rejects when it failed. */
  private async noticeOpening(opening: OpenGpu): Promise<void> {
    const { choice, notice } = this.options;
    try {
      const { info } = await opening.device;
      if (info.isSoftware) {
        notice('WEBGPU_SOFTWARE', 'the WebGPU adapter is a software adapter: results are correct, but it is slow');
      }
    } catch (error) {
      const reason = asPippinError(error, 'WEBGPU_UNAVAILABLE');
      if (this.gpu === opening) this.close(reason.message);
      if (choice === 'auto' && !this.forbidden) {
        const code = error instanceof SoftwareAdapter ? 'WEBGPU_SOFTWARE' : 'WEBGPU_UNAVAILABLE';
        notice(code, `no usable GPU (${reason.message}); the WASM workers do all the work`);
      }
      throw reason;
    }
  }

  /** Tells when a group's kernels are compiled, if the workers did the work until then. */
  private async noticeReady(curve: CurveId, group: GroupId, known: GroupOnGpu): Promise<void> {
    await known.msm.settled;
    if (this.options.choice !== 'auto' || this.gpu?.groups.get(groupKey(curve, group)) !== known) return;
    this.options.notice('WEBGPU_READY', `the GPU is ready to compute MSMs over ${curve}'s ${group}`);
  }

  /**
   * Opens a new adapter and device after one was lost, a few times at most; false when that is not possible. Concurrent
   * MSMs fail together: the first one to report its backend `lost` opens the new device for all of them.
   */
  private async reopen(key: string, lost: Promise<CompleteMsmBackend>): Promise<boolean> {
    const known = this.gpu?.groups.get(key);
    const isReplaced = this.gpu !== undefined && known?.backend !== lost && known?.checked !== lost;
    if (this.reopening === undefined && isReplaced) return true;
    this.reopening ??= this.openAgain().finally(() => {
      this.reopening = undefined;
    });
    return this.reopening;
  }

  private async openAgain(): Promise<boolean> {
    this.close('the GPU device was lost');
    if (this.forbidden || this.reopenings >= MAX_REOPENINGS) return false;
    this.reopenings++;
    const gpu = new OpenGpu(this.opener.open());
    try {
      await gpu.device;
    } catch (error) {
      this.absence = asPippinError(error).message;
      return false;
    }
    // Meanwhile the GPU may have been distrusted, or the prover disposed.
    if (this.forbidden) {
      await gpu.close();
      return false;
    }
    this.gpu = gpu;
    return true;
  }

  private close(reason: string): void {
    const { gpu } = this;
    if (gpu === undefined) return;
    this.gpu = undefined;
    this.absence = reason;
    this.closing = Promise.all([this.closing, gpu.close()]);
  }
}
