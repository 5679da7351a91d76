import type { BackendChoice, Capabilities } from '../api.js';
import type { CurveId, GroupId } from '../curves/index.js';
import { asPippinError, PippinError } from '../errors.js';
import { GpuMsm } from '../gpu/msm/gpu-msm.js';
import { type DeviceInfo, type GpuDevice, openDevice } from '../gpu/runtime/device.js';
import type { SumBackend } from '../msm/backend.js';
import { finishing } from '../msm/finishing.js';
import type { ArithmeticFor } from '../msm/point-arithmetic.js';
import { type LosableDevice, reopened } from '../msm/reopened.js';
import { timed } from '../msm/timed.js';
import type { NoticeCode } from '../progress.js';
import type { EnginePlatform } from './platform.js';

/** How often a lost GPU is opened again. */
const MAX_REOPENINGS = 3;

export interface GpuAccessOptions {
  readonly choice: BackendChoice;
  /** Bytes of GPU memory to plan with; by default what the device's limits allow. */
  readonly memoryBudget: number | undefined;
  /** Does the last steps of the sums that the GPU computes. */
  readonly arithmeticFor: ArithmeticFor;
}

/** A group's multiplications on the open device. */
interface GroupOnGpu {
  readonly msm: Promise<GpuMsm>;
  readonly sums: Promise<SumBackend>;
}

/** An open device with the pipelines of the groups that have been asked for, by `groupKey`. */
interface OpenGpu {
  readonly device: GpuDevice;
  readonly groups: Map<string, GroupOnGpu>;
}

/** The adapter is a software one, and the caller did not ask for WebGPU. */
class SoftwareAdapter extends PippinError {
  constructor(info: DeviceInfo) {
    super(
      'WEBGPU_UNAVAILABLE',
      `expected a GPU, got a software adapter (${adapterName(info)}), which is slower than the workers`,
      {
        hint: "ask for the backend 'webgpu' to use it all the same",
      },
    );
  }
}

/** Opens the GPU at the start, and again after it was lost, but never again once it has computed something wrong. */
export class GpuAccess {
  private gpu: OpenGpu | undefined;
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
  ) {}

  /** Opens the GPU unless the choice is `wasm`. `WEBGPU_UNAVAILABLE` when the choice is `webgpu` and there is none. */
  async start(notice: (code: NoticeCode, message: string) => void): Promise<void> {
    const { choice } = this.options;
    if (choice === 'wasm') return;
    try {
      this.gpu = await this.open();
      if (this.gpu.device.info.isSoftware) {
        notice('WEBGPU_SOFTWARE', 'the WebGPU adapter is a software adapter: results are correct, but it is slow');
      }
    } catch (error) {
      const reason = asPippinError(error, 'WEBGPU_UNAVAILABLE');
      if (choice === 'webgpu') throw reason;
      this.absence = reason.message;
      const code = error instanceof SoftwareAdapter ? 'WEBGPU_SOFTWARE' : 'WEBGPU_UNAVAILABLE';
      notice(code, `no usable GPU (${reason.message}); the WASM workers do all the work`);
    }
  }

  get isOpen(): boolean {
    return this.gpu !== undefined;
  }

  describe(): Capabilities['webgpu'] {
    if (this.gpu === undefined) return { available: false, reason: this.absence };
    const { vendor, architecture, description, isSoftware } = this.gpu.device.info;
    return { available: true, vendor, architecture, description, software: isSoftware };
  }

  /**
   * A group's multiplications on the open device; undefined if there is none. The first call for a group starts to compile its pipelines.
   */
  on(curve: CurveId, group: GroupId): Promise<SumBackend> | undefined {
    if (this.gpu === undefined) return undefined;
    const { device, groups } = this.gpu;
    const key = groupKey(curve, group);
    let known = groups.get(key);
    if (known === undefined) {
      const msm = GpuMsm.create(device, curve, group, { memoryBudget: this.options.memoryBudget });
      const sums = msm.then((created) => timed(finishing(created, this.options.arithmeticFor)));
      sums.catch(() => undefined);
      known = { msm, sums };
      groups.set(key, known);
    }
    return known.sums;
  }

  /** A group's multiplications on the device that is open at the time, with a second attempt on a new device when it is lost. */
  sums(curve: CurveId, group: GroupId): ReturnType<typeof reopened> {
    const device: LosableDevice = {
      current: () => this.on(curve, group),
      reopen: (lost) => this.reopen(groupKey(curve, group), lost),
    };
    return reopened(device, GpuMsm.capabilities);
  }

  /** Stops the use of the GPU for good. */
  distrust(reason: string): void {
    this.close(reason);
    this.forbidden = true;
  }

  /** Fulfilled when the GPU has been released and the thread may end. */
  async dispose(): Promise<void> {
    this.distrust('the prover was disposed');
    await this.closing;
  }

  /**
   * Opens a new adapter and device after one was lost, a few times at most; false when that is not possible. Multiplications that run at the
   * same time fail together: the first one to report its backend `lost` opens the new device for all of them.
   */
  private async reopen(key: string, lost: Promise<SumBackend>): Promise<boolean> {
    const isReplaced = this.gpu !== undefined && this.gpu.groups.get(key)?.sums !== lost;
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
    try {
      const gpu = await this.open();
      // Meanwhile the GPU may have been distrusted, or the prover disposed.
      if (this.forbidden) {
        await gpu.device.destroy();
        return false;
      }
      this.gpu = gpu;
      return true;
    } catch (error) {
      this.absence = asPippinError(error).message;
      return false;
    }
  }

  private async open(): Promise<OpenGpu> {
    const device = await this.openAdapter();
    if (device.info.isSoftware && this.options.choice === 'auto') {
      await device.destroy();
      throw new SoftwareAdapter(device.info);
    }
    return { device, groups: new Map() };
  }

  private async openAdapter(): Promise<GpuDevice> {
    const gpu = await this.platform.gpu();
    if (gpu === undefined)
      throw new PippinError('WEBGPU_UNAVAILABLE', 'expected WebGPU, got an environment without it');
    try {
      return await openDevice(gpu);
    } catch (error) {
      throw (await this.platform.explainNoAdapter?.(error)) ?? error;
    }
  }

  private close(reason: string): void {
    const { gpu } = this;
    if (gpu === undefined) return;
    this.gpu = undefined;
    this.absence = reason;
    for (const { msm } of gpu.groups.values()) msm.then((created) => created.destroy()).catch(() => undefined);
    this.closing = Promise.all([this.closing, gpu.device.destroy()]);
  }
}

function groupKey(curve: CurveId, group: GroupId): string {
  return `${curve} ${group}`;
}

function adapterName({ vendor, architecture, description }: DeviceInfo): string {
  return [vendor, architecture, description].filter((part) => part !== '').join(' ') || 'unnamed';
}
