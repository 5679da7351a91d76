import { PippinError } from '../../errors.js';
import { BindGroups } from './bind-groups.js';
import { Pipelines } from './pipelines.js';
import { SerialQueue } from './serial.js';
import { Staging } from './staging.js';

/**
 * How field elements are multiplied where a kernel leaves the choice: by limbs of 13 bits, which every device does, or by bytes with
 * `dot4U8Packed`, which is faster where the hardware has it.
 */
export type Products = 'limbs' | 'bytes';

export interface DeviceOptions {
  /** Which of several GPUs; by default the fast one. */
  readonly powerPreference?: GPUPowerPreference;
  /** `adapter`: buffers as large as the adapter allows. `default`: WebGPU's default limits, what every device has. */
  readonly limits?: 'adapter' | 'default';
  /** By default what is known to be faster. `bytes` needs `BYTE_PRODUCTS`. */
  readonly products?: Products;
}

/** What the browser tells about the adapter; parts may be empty strings. */
export interface DeviceInfo {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** A software adapter: results are right, times mean nothing. */
  readonly isSoftware: boolean;
}

/** Features that are used when the adapter has them; nothing needs them. */
const OPTIONAL_FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups'];

/** The feature of WGSL without which there is no `dot4U8Packed`. */
const BYTE_PRODUCTS = 'packed_4x8_integer_dot_product';

/** Vendors whose GPUs were measured to multiply four bytes in the time of one word. Elsewhere the driver may emulate such products. */
const FAST_BYTE_PRODUCTS = /^nvidia$/i;

/** Older architectures of theirs, without the instruction. */
const NO_BYTE_PRODUCTS = /kepler|maxwell/i;

/** Limits that are raised to the adapter's: they decide into how many chunks a computation is cut. */
const RAISED_LIMITS = ['maxStorageBufferBindingSize', 'maxBufferSize'] as const;

/** Names under which software drivers are known: Google's, Mesa's (two names) and Microsoft's. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** What is looked for after every use of the device, outermost scope first. */
const ERROR_FILTERS: readonly GPUErrorFilter[] = ['validation', 'internal', 'out-of-memory'];

const UNAVAILABLE_HINT = 'use the wasm backend, or a browser and driver with WebGPU';

/**
 * Opens a device on a fresh adapter (Safari gives a lost device for the second one on the same adapter).
 * Rejects with `WEBGPU_UNAVAILABLE` when there is no adapter or no device.
 */
export async function openDevice(gpu: GPU, options: DeviceOptions = {}): Promise<GpuDevice> {
  const adapter = await requestAdapter(gpu, options.powerPreference ?? 'high-performance');
  const requiredLimits =
    options.limits === 'default' ? {} : Object.fromEntries(RAISED_LIMITS.map((name) => [name, adapter.limits[name]]));
  try {
    const device = await adapter.requestDevice({
      requiredFeatures: OPTIONAL_FEATURES.filter((feature) => adapter.features.has(feature)),
      requiredLimits,
    });
    const info = describe(adapter);
    return new GpuDevice(device, info, options.products ?? fasterProducts(gpu, info));
  } catch (cause) {
    throw new PippinError('WEBGPU_UNAVAILABLE', 'expected a WebGPU device, got none from the adapter', {
      cause,
      hint: UNAVAILABLE_HINT,
    });
  }
}

async function requestAdapter(gpu: GPU, powerPreference: GPUPowerPreference): Promise<GPUAdapter> {
  let cause: unknown;
  try {
    const adapter = await gpu.requestAdapter({ powerPreference });
    if (adapter !== null) return adapter;
  } catch (error) {
    cause = error;
  }
  throw new PippinError('WEBGPU_UNAVAILABLE', 'expected a WebGPU adapter, got none', { cause, hint: UNAVAILABLE_HINT });
}

function fasterProducts(gpu: GPU, { vendor, architecture }: DeviceInfo): Products {
  const has = gpu.wgslLanguageFeatures?.has(BYTE_PRODUCTS) ?? false;
  const isFast = FAST_BYTE_PRODUCTS.test(vendor) && !NO_BYTE_PRODUCTS.test(architecture);
  return has && isFast ? 'bytes' : 'limbs';
}

function describe(adapter: GPUAdapter): DeviceInfo {
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  return {
    vendor,
    architecture,
    description,
    isSoftware: isFallbackAdapter === true || SOFTWARE.test(`${vendor} ${architecture} ${device} ${description}`),
  };
}

/** A GPU device whose faults come as typed errors and never as a promise that stays pending. */
export class GpuDevice {
  /** Fulfilled with a `DEVICE_LOST` error once the device is lost, by a fault or by `destroy`. */
  readonly lost: Promise<PippinError>;
  /** Its compiled kernels. */
  readonly pipelines = new Pipelines(this);
  readonly bindGroups: BindGroups;
  /** What brings data to it. */
  readonly staging = new Staging(this);
  /** Computations take turns on it: each may use all the memory and time that there is. */
  readonly turns = new SerialQueue();
  private lostError: PippinError | undefined;
  private readonly waiting = new Set<(error: PippinError) => void>();
  /** WebGPU's promises that it has not answered yet. */
  private readonly unanswered = new Set<Promise<unknown>>();

  constructor(
    readonly device: GPUDevice,
    readonly info: DeviceInfo,
    readonly products: Products,
  ) {
    this.bindGroups = new BindGroups(device);
    this.lost = device.lost.then(({ reason, message }) => {
      const error = new PippinError('DEVICE_LOST', `the GPU device was lost (${reason ?? 'unknown'}): ${message}`, {
        hint: 'open the device again, or use the wasm backend',
      });
      this.lostError = error;
      for (const reject of this.waiting) reject(error);
      this.waiting.clear();
      return error;
    });
  }

  get limits(): GPUSupportedLimits {
    return this.device.limits;
  }

  has(feature: GPUFeatureName): boolean {
    return this.device.features.has(feature);
  }

  throwIfLost(): void {
    if (this.lostError !== undefined) throw this.lostError;
  }

  /** `promise`, or a rejection with `DEVICE_LOST` as soon as the device is lost: some implementations leave theirs pending. */
  whileAlive<T>(promise: Promise<T>): Promise<T> {
    this.unanswered.add(promise);
    const answered = (): boolean => this.unanswered.delete(promise);
    promise.then(answered, answered);
    return new Promise<T>((resolve, reject) => {
      if (this.lostError !== undefined) {
        promise.catch(() => undefined);
        reject(this.lostError);
        return;
      }
      this.waiting.add(reject);
      promise
        // A lost device may fail its promises before it tells that it is lost.
        .catch(async (error) => {
          await settleTurn();
          throw this.lostError ?? error;
        })
        .then(resolve, reject)
        .finally(() => this.waiting.delete(reject));
    });
  }

  /**
   * Runs `work`, which must not await, and gives its value beside a promise that rejects with what WebGPU found wrong
   * with it: `OUT_OF_MEMORY`, `INTERNAL` for a validation or driver error, or `DEVICE_LOST`.
   */
  checked<T>(work: () => T): { value: T; done: Promise<void> } {
    this.throwIfLost();
    for (const filter of ERROR_FILTERS) this.device.pushErrorScope(filter);
    let scopes: Promise<void>[] = [];
    let value: T;
    try {
      value = work();
    } finally {
      scopes = ERROR_FILTERS.toReversed().map((filter) => this.popScope(filter));
      for (const scope of scopes) scope.catch(() => undefined);
    }
    return { value, done: Promise.all(scopes).then(() => undefined) };
  }

  private async popScope(filter: GPUErrorFilter): Promise<void> {
    const error = await this.whileAlive(this.device.popErrorScope());
    if (error === null) return;
    if (filter !== 'out-of-memory') throw new PippinError('INTERNAL', `WebGPU reported: ${error.message}`);
    throw new PippinError('OUT_OF_MEMORY', `expected enough GPU memory, got: ${error.message}`, {
      hint: 'give a smaller memoryBudget',
    });
  }

  /**
   * Lets the device go. Calls under way reject with `DEVICE_LOST`. Fulfilled once WebGPU has answered all that it was asked:
   * Dawn in Node takes the process with it when its thread ends before.
   */
  async destroy(): Promise<void> {
    this.device.destroy();
    await this.lost;
    while (this.unanswered.size > 0) await Promise.allSettled(this.unanswered);
  }
}

/** Lets callbacks that are ready run first. */
function settleTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
