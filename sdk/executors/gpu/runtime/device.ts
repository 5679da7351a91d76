import type { Accumulation } from '../../../api/tuning.js';
import { withTimeout } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import type { DeviceInfo } from './device-info.js';
import { GpuMemory } from './gpu-memory.js';
import { GuardedDevice, settleTurn } from './guarded-device.js';
import { InFlight, SerialQueue } from './in-flight.js';
import { BindGroups, Pipelines } from './pipelines.js';
import { Readbacks } from './readbacks.js';
import { Staging } from './staging.js';

/**
 * How field elements are multiplied where bases are added to buckets: over limbs in a loop, which is small code, or
 * unrolled, which keeps them in registers, also by Karatsuba's method; over words of 32 bits, whose products of 64 bits
 * are made of four; or over bytes with `dot4U8Packed`, which is fast with hardware support. Every other kernel has the
 * first.
 */
export type Products = Accumulation;

export interface DeviceOptions {
  /** Which of several GPUs to use; by default the fast one. */
  readonly powerPreference?: GPUPowerPreference;
  /**
   * `adapter`: buffers as large as the adapter allows. `default`: WebGPU's default limits, which every device supports.
   */
  readonly limits?: 'adapter' | 'default';
  /** By default the fastest kind, as far as known. `bytes` needs `BYTE_PRODUCTS`. */
  readonly products?: Products | undefined;
  /** The kind of products measured to be the fastest on an adapter; undefined if not measured. */
  readonly measuredProducts?: ((info: DeviceInfo) => Products | undefined) | undefined;
  /** See `GuardedDevice`. Default false. */
  readonly endsAtOnce?: boolean | undefined;
  /**
   * Bytes that all buffers together may take. By default only each computation has a budget, from the device's limits.
   */
  readonly memoryBudget?: number | undefined;
}

/** Optional features, used if the adapter has them. */
const OPTIONAL_FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups'];

/** The WGSL language feature that provides `dot4U8Packed`. */
const BYTE_PRODUCTS = 'packed_4x8_integer_dot_product';

/**
 * Vendors whose GPUs were measured to multiply four bytes in the time of one word. On others the driver may emulate
 * byte products.
 */
const FAST_BYTE_PRODUCTS = /^nvidia$/i;

/** These vendors' older architectures, which lack the instruction. */
const NO_BYTE_PRODUCTS = /kepler|maxwell/i;

/** Limits raised to the adapter's: they determine the number of chunks of a computation. */
const RAISED_LIMITS = ['maxStorageBufferBindingSize', 'maxBufferSize'] as const;

/** Names of software drivers: Google's, Mesa's (two names) and Microsoft's. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** Timeout for requesting an adapter, and then a device, in milliseconds: some drivers need seconds. */
const OPENS_WITHIN_MS = 30_000;

/**
 * The least time in milliseconds before a pending submit makes the device count as stuck. Mesa's software driver
 * compiles a kernel when it first runs: over G2 more than 20 s on busy cores. Half of `ANSWER_MS`.
 */
const LEAST_PATIENCE_MS = { hardware: 5000, software: 60_000 } as const;

const UNAVAILABLE_HINT = 'use the wasm backend, or a browser and driver with WebGPU';

/**
 * Opens a device on a new adapter (in Safari a second device of the same adapter is already lost). Rejects with
 * `WEBGPU_UNAVAILABLE` when there is no adapter or no device, or none within 30 s.
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
    const products: Products[] = ['limbs', 'unrolled', 'karatsuba', 'words'];
    if (canMultiplyBytes) products.push('bytes');
    return new GpuDevice(device, info, products, { ...options, preferred });
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

/** A device that arrives after the timeout is destroyed. */
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

/** A device with everything that computations on it share. */
export class GpuDevice extends GuardedDevice {
  /** Its compiled kernels. */
  readonly pipelines = new Pipelines(this);
  readonly bindGroups: BindGroups;
  readonly memory: GpuMemory;
  /** Staging buffers for uploads. */
  readonly staging: Staging;
  /** Readback buffers for results. */
  readonly readbacks: Readbacks;
  readonly inFlight: InFlight;
  /** How field elements are multiplied in kernels that support both ways. */
  readonly products: Products;
  /** Computations are submitted in turns: another one may use a computation's memory once all its steps are queued. */
  readonly turns = new SerialQueue();
  /** Measurements of the device run one after another. */
  readonly measurements = new SerialQueue();

  constructor(
    device: GPUDevice,
    readonly info: DeviceInfo,
    /** The kinds of products that the device supports. */
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
  /** Like `GuardedDevice.destroy`, and also waits for the cleanup of all computations that it makes fail. */
  override async destroy(): Promise<void> {
    await super.destroy();
    // A failure may take two event loop turns to reach the computation.
    for (let turn = 0; turn < 2; turn++) await settleTurn();
    await this.turns.run(async () => undefined);
  }
}
