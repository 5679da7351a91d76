import type { AdapterTimes, BackendChoice, PerformanceMap } from '../api/index.js';
import { untilAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import { loadPart } from '../base/load-part.js';
import type { GpuDevice } from '../executors/gpu/runtime/device.js';
import { adapterName, type DeviceInfo } from '../executors/gpu/runtime/device-info.js';
import type { ThreadPlatform } from './platform.js';

/** What a device is opened by. */
export type GpuPlatform = Pick<ThreadPlatform, 'gpu' | 'gpuEndsAtOnce' | 'explainNoAdapter'>;

/** The adapter is a software one, and the caller did not ask for WebGPU. */
export class SoftwareAdapter extends PippinError {
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

/** Opens devices of the platform's GPU, as the caller's choice allows. */
export class DeviceOpener {
  private map: PerformanceMap | undefined;
  /** Ends the wait before the GPU is opened. */
  private readonly waiting = new AbortController();

  /**
   * @param memoryBudget bytes that all buffers on the device may take together.
   * @param knownMap what was measured on this machine.
   */
  constructor(
    private readonly platform: GpuPlatform,
    private readonly choice: BackendChoice,
    private readonly memoryBudget: number | undefined,
    private readonly knownMap: Promise<PerformanceMap | undefined>,
  ) {}

  /** What was measured on an adapter like the open device's. */
  timesOf(info: DeviceInfo): AdapterTimes | undefined {
    const times = this.map?.gpu;
    return times?.adapter === adapterName(info) ? times : undefined;
  }

  /** Ends `openAfter`, which then rejects with `ABORTED`. */
  stopWaiting(): void {
    this.waiting.abort();
  }

  /** Opens a device after so many milliseconds. */
  async openAfter(milliseconds: number): Promise<GpuDevice> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = new Promise<void>((resolve) => {
      if (milliseconds === 0) resolve();
      else timer = setTimeout(resolve, milliseconds);
    });
    try {
      await untilAborted(wait, this.waiting.signal);
    } finally {
      clearTimeout(timer);
    }
    return this.open();
  }

  /** `WEBGPU_UNAVAILABLE` where there is none, or none but a software adapter that the caller did not ask for. */
  async open(): Promise<GpuDevice> {
    const gpu = await this.platform.gpu(this.choice);
    if (gpu === undefined)
      throw new PippinError('WEBGPU_UNAVAILABLE', 'expected WebGPU, got an environment without it');
    const device = await this.openAdapter(gpu);
    if (device.info.isSoftware && this.choice === 'auto') {
      await device.destroy();
      throw new SoftwareAdapter(device.info);
    }
    return device;
  }

  private async openAdapter(gpu: GPU): Promise<GpuDevice> {
    const [code, map] = await Promise.all([loadGpuCode(), this.knownMap]);
    this.map = map;
    const { openDevice } = code;
    try {
      const { gpuEndsAtOnce: endsAtOnce } = this.platform;
      const measuredProducts = (info: DeviceInfo) => this.timesOf(info)?.products;
      return await openDevice(gpu, { measuredProducts, endsAtOnce, memoryBudget: this.memoryBudget });
    } catch (error) {
      throw (await this.platform.explainNoAdapter?.(error)) ?? error;
    }
  }
}

/**
 * The code that uses a GPU, which is loaded when it is first wanted. `WEBGPU_UNAVAILABLE` if the script cannot be
 * loaded.
 */
export function loadGpuCode(): Promise<typeof import('./gpu-code.js')> {
  return loadPart('the GPU', () => import('./gpu-code.js'), 'WEBGPU_UNAVAILABLE');
}
