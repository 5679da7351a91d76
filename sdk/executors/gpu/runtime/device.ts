import { withTimeout } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import { BindGroups } from './bind-groups.js';
import type { DeviceInfo } from './device-info.js';
import { GpuMemory } from './gpu-memory.js';
import { GuardedDevice, settleTurn } from './guarded-device.js';
import { InFlight, SerialQueue } from './in-flight.js';
import { Pipelines } from './pipelines.js';
import { Readbacks } from './readbacks.js';
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
  readonly products?: Products | undefined;
  /** The products that were measured to be faster on an adapter, if they were measured. */
  readonly measuredProducts?: ((info: DeviceInfo) => Products | undefined) | undefined;
  /** See `GuardedDevice`. Default false. */
  readonly endsAtOnce?: boolean | undefined;
  /** Bytes that all buffers together may take. By default only the computations bound theirs, by the device's limits. */
  readonly memoryBudget?: number | undefined;
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

/** Milliseconds that an adapter, and then a device, may take to open: some drivers need seconds. */
const OPENS_WITHIN_MS = 30_000;

/** Milliseconds for which any submit is waited for before the device counts as stuck. */
const LEAST_PATIENCE_MS = { hardware: 5000, software: 20_000 } as const;

const UNAVAILABLE_HINT = 'use the wasm backend, or a browser and driver with WebGPU';

/**
 * Opens a device on a fresh adapter (Safari gives a lost device for the second one on the same adapter).
 * Rejects with `WEBGPU_UNAVAILABLE` when there is no adapter or no device, or none within 30 s.
 */
export async function openDevice(gpu: GPU, options: DeviceOptions = {}): Promise<GpuDevice> {
  const adapter = await requestAdapter(gpu, options.powerPreference ?? 'high-performance');
  const requiredLimits =
    options.limits === 'default' ? {} : Object.fromEntries(RAISED_LIMITS.map((name) => [name, adapter.limits[name]]));
  try {
    const device = await deviceOf(adapter, {
      requiredFeatures: OPTIONAL_FEATURES.filter((feature) => adapter.features.has(feature)),
      requiredLimits,
    });
    const info = describe(adapter);
    const canMultiplyBytes = gpu.wgslLanguageFeatures?.has(BYTE_PRODUCTS) ?? false;
    const preferred = options.products ?? options.measuredProducts?.(info) ?? fasterProducts(info);
    return new GpuDevice(device, info, canMultiplyBytes ? ['limbs', 'bytes'] : ['limbs'], { ...options, preferred });
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
    const adapter = await withTimeout(OPENS_WITHIN_MS, 'the GPU', () => gpu.requestAdapter({ powerPreference }));
    if (adapter !== null) return adapter;
  } catch (error) {
    cause = error;
  }
  throw new PippinError('WEBGPU_UNAVAILABLE', 'expected a WebGPU adapter, got none', { cause, hint: UNAVAILABLE_HINT });
}

/** A device that comes too late is let go. */
async function deviceOf(adapter: GPUAdapter, descriptor: GPUDeviceDescriptor): Promise<GPUDevice> {
  const requested = adapter.requestDevice(descriptor);
  try {
    return await withTimeout(OPENS_WITHIN_MS, 'the adapter', () => requested);
  } catch (error) {
    requested.then(
      (late) => late.destroy(),
      () => undefined,
    );
    throw error;
  }
}

function fasterProducts({ vendor, architecture }: DeviceInfo): Products {
  return FAST_BYTE_PRODUCTS.test(vendor) && !NO_BYTE_PRODUCTS.test(architecture) ? 'bytes' : 'limbs';
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

/** A device with all that computations on it share. */
export class GpuDevice extends GuardedDevice {
  /** Its compiled kernels. */
  readonly pipelines = new Pipelines(this);
  readonly bindGroups: BindGroups;
  readonly memory: GpuMemory;
  /** What brings data to it. */
  readonly staging: Staging;
  /** What brings results back. */
  readonly readbacks: Readbacks;
  readonly inFlight: InFlight;
  /** How field elements are multiplied where a kernel leaves the choice. */
  readonly products: Products;
  /** Computations are submitted in turns: the memory that one works in may be another's as soon as all its steps are queued. */
  readonly turns = new SerialQueue();
  /** Measurements of the device run one after another. */
  readonly measurements = new SerialQueue();

  constructor(
    device: GPUDevice,
    readonly info: DeviceInfo,
    /** The forms of products that it can compute with. */
    readonly possibleProducts: readonly Products[],
    {
      preferred,
      endsAtOnce,
      memoryBudget,
    }: Pick<DeviceOptions, 'endsAtOnce' | 'memoryBudget'> & { preferred: Products },
  ) {
    super(device, endsAtOnce);
    this.memory = new GpuMemory(this, this.turns, memoryBudget);
    this.staging = new Staging(this, this.memory);
    this.readbacks = new Readbacks(this, this.memory);
    this.products = possibleProducts.includes(preferred) ? preferred : 'limbs';
    this.bindGroups = new BindGroups(device);
    const onStuck = (ms: number): void => this.abandon(`it has worked on one submit for ${Math.round(ms)} ms`);
    this.inFlight = new InFlight(onStuck, LEAST_PATIENCE_MS[info.isSoftware ? 'software' : 'hardware']);
  }
  /** As of `GuardedDevice`, and no computation that failed by it has anything left to clean up. */
  override async destroy(): Promise<void> {
    await super.destroy();
    // A failure may take two turns of the event loop to reach the computation.
    for (let turn = 0; turn < 2; turn++) await settleTurn();
    await this.turns.run(async () => undefined);
  }
}
