import { BufferUsage, MapMode } from '../../../sdk/executors/gpu/runtime/flags.js';
import { readBuffer } from './polynomials/quotient-lab.js';
import { sharedDevice } from './test-device.js';

/** What is done on the devices of a virtual GPU. */
export interface VirtualGpuOptions {
  /**
   * Told of each buffer before it is made (`buffer` and its label), and of each kernel before it is put into a submit
   * (its key).
   */
  readonly onUse?: ((name: string, device: VirtualDevice) => void) | undefined;
  /** Whether the kernel with this key does nothing instead of its work. */
  readonly leavesOut?: ((key: string) => boolean) | undefined;
  /**
   * The part of its threads that the kernel with this key runs, in each dispatch from now on: 1 unless it is given.
   * With 2 the dispatch is run twice.
   */
  readonly partOf?: ((key: string) => number) | undefined;
  /** Whether buffers that are to be cleared keep what they hold. */
  readonly keepsOld?: (() => boolean) | undefined;
  /**
   * Whether it says that it is a software adapter. The backend `auto` uses none, and submits are short from the first
   * one on.
   */
  readonly isSoftware?: boolean | undefined;
  /** The limits that it says it has; the shared device's unless they are given. No vector's buffer may be larger. */
  readonly limits?: DeviceLimits | undefined;
}

/** The limits that decide how much a buffer holds, in bytes. */
export type DeviceLimits = Pick<GPUSupportedLimits, 'maxStorageBufferBindingSize' | 'maxBufferSize'>;

const EMPTY = '@compute @workgroup_size(1) fn main() {}';

/**
 * A GPU whose devices are views of the one that all tests share, with the kernels that were compiled on it. Each can be
 * watched, lost and made to compute wrong, and the others do not notice.
 */
export async function virtualGpu(options: VirtualGpuOptions = {}): Promise<{ gpu: GPU; devices: VirtualDevice[] }> {
  const { device: real } = await sharedDevice();
  const devices: VirtualDevice[] = [];
  const { isSoftware: isFallbackAdapter = false } = options;
  const info = { vendor: 'test', architecture: '', device: '', description: '', isFallbackAdapter };
  const requestDevice = async (): Promise<GPUDevice> => {
    const device = new VirtualDevice(real, options);
    devices.push(device);
    return device.view;
  };
  const adapter = { info, features: real.features, limits: options.limits ?? real.limits, requestDevice };
  return { gpu: { requestAdapter: async () => adapter } as unknown as GPU, devices };
}

/** Words of `Params` that say which threads a dispatch runs (`RUNTIME_PARAMS`). */
const [FIRST, END] = [1, 2];

/** A view of the shared device. */
export class VirtualDevice {
  readonly view: GPUDevice;
  /** The buffers that were made on it and not destroyed. */
  readonly alive = new Set<GPUBuffer>();
  /** The most bytes that these had together. */
  peakBytes = 0;
  /** The same without staging buffers. */
  peakWithoutStaging = 0;
  isLost = false;
  private refuses = false;
  private hangs = false;
  /** The memory that staging buffers were mapped to last. */
  private readonly mapped = new Map<GPUBuffer, ArrayBuffer>();
  /** Where the `Params` lie of dispatches that are to run some of their threads alone, and how many. */
  private cut: { readonly offset: number; readonly part: number }[] = [];
  private tellLost = (_: GPUDeviceLostInfo): void => undefined;
  /** An answer that does not come before the device is lost. */
  private readonly never: Promise<never>;

  constructor(
    private readonly real: GPUDevice,
    private readonly options: VirtualGpuOptions,
  ) {
    const lost = new Promise<GPUDeviceLostInfo>((resolve) => {
      this.tellLost = resolve;
    });
    this.never = lost.then(() => {
      throw new Error('the device was lost');
    });
    this.never.catch(() => undefined);
    const replaced: Partial<Record<keyof GPUDevice, unknown>> = {
      lost,
      ...(options.limits && { limits: options.limits }),
      destroy: () => this.lose(),
      queue: viewOf(real.queue, {
        submit: (commands: GPUCommandBuffer[]) => this.submit(commands),
        writeBuffer: (...given: Parameters<GPUQueue['writeBuffer']>) => {
          if (given[0].label === 'scratch params') this.cutDispatches(given[2] as Uint32Array);
          if (!this.isLost) real.queue.writeBuffer(...given);
        },
        onSubmittedWorkDone: () => (this.hangs ? this.never : real.queue.onSubmittedWorkDone()),
      }),
      popErrorScope: () => real.popErrorScope().then((error) => (this.hangs ? this.never : error)),
      createBuffer: (descriptor: GPUBufferDescriptor) => this.createBuffer(descriptor),
      createShaderModule: ({ label = '', code }: GPUShaderModuleDescriptor) =>
        real.createShaderModule({ label, code: options.leavesOut?.(label) ? EMPTY : code }),
      createCommandEncoder: () => this.createCommandEncoder(),
    };
    this.view = viewOf(real, replaced);
  }

  /** Bytes of the buffers that were made on it and not destroyed. */
  get bytes(): number {
    return sizeOf([...this.alive]);
  }

  /** Loses the device. What is under way on it comes to its end unnoticed. */
  lose(): void {
    this.isLost = true;
    this.tellLost({ reason: 'destroyed', message: 'the test has lost it' } as GPUDeviceLostInfo);
  }

  /** From now on nothing that is submitted is done, and nothing is answered. */
  hang(): void {
    this.hangs = true;
  }

  /**
   * Lets the next submit be refused, as one that WebGPU finds wrong: nothing of it is done, and an error is reported.
   */
  refuseNext(): void {
    this.refuses = true;
  }

  /** What the buffers hold that are not destroyed, when all that was submitted is done. */
  async contents(): Promise<{ label: string; bytes: Uint8Array }[]> {
    await this.real.queue.onSubmittedWorkDone();
    const contents: { label: string; bytes: Uint8Array }[] = [];
    for (const buffer of this.alive) contents.push({ label: buffer.label, bytes: await this.read(buffer) });
    return contents;
  }

  private submit(commands: GPUCommandBuffer[]): void {
    // A buffer without a use is an error.
    if (this.refuses) this.real.createBuffer({ label: 'refused', size: 4, usage: 0 });
    else if (!this.isLost && !this.hangs) this.real.queue.submit(commands);
    this.refuses = false;
  }

  private async read(buffer: GPUBuffer): Promise<Uint8Array> {
    if ((buffer.usage & BufferUsage.MAP_WRITE) !== 0) return new Uint8Array(this.mapped.get(buffer)!);
    if ((buffer.usage & BufferUsage.MAP_READ) === 0) return readBuffer({ device: this.real }, buffer);
    if (buffer.mapState !== 'unmapped') throw new Error('expected a buffer that is not in use');
    await buffer.mapAsync(MapMode.READ);
    const bytes = new Uint8Array(buffer.getMappedRange()).slice();
    buffer.unmap();
    return bytes;
  }

  private createBuffer(descriptor: GPUBufferDescriptor): GPUBuffer {
    this.options.onUse?.(`buffer ${descriptor.label}`, this);
    const { size, label } = descriptor;
    const most = this.options.limits?.maxStorageBufferBindingSize ?? size;
    if (size > most && (label === 'vectors' || label === 'polynomials')) {
      throw new Error(`expected at most ${most} bytes in a buffer of ${label}, got ${size}`);
    }
    // The test reads what the host cannot map.
    const isMappable = (descriptor.usage & (BufferUsage.MAP_READ | BufferUsage.MAP_WRITE)) !== 0;
    const usage = descriptor.usage | (isMappable ? 0 : BufferUsage.COPY_SRC);
    const buffer = this.real.createBuffer({ ...descriptor, usage });
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      this.alive.delete(buffer);
      return destroy();
    };
    const mapAsync = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = (...given) => (this.hangs ? this.never : mapAsync(...given));
    const getMappedRange = buffer.getMappedRange.bind(buffer);
    buffer.getMappedRange = (...range) => {
      const memory = getMappedRange(...range);
      this.mapped.set(buffer, memory);
      return memory;
    };
    this.alive.add(buffer);
    this.peakBytes = Math.max(this.peakBytes, this.bytes);
    const unstaged = [...this.alive].filter(({ label }) => label !== 'staging');
    this.peakWithoutStaging = Math.max(this.peakWithoutStaging, sizeOf(unstaged));
    return buffer;
  }

  /** Ends the dispatches of a submit early that are to run some of their threads alone. */
  private cutDispatches(params: Uint32Array): void {
    for (const { offset, part } of this.cut) {
      const at = offset / 4;
      const [first, end] = [params[at + FIRST]!, params[at + END]!];
      params[at + END] = first + Math.floor((end - first) * part);
    }
    this.cut = [];
  }

  private createCommandEncoder(): GPUCommandEncoder {
    const encoder = this.real.createCommandEncoder();
    const clearBuffer = encoder.clearBuffer.bind(encoder);
    encoder.clearBuffer = (...given) => (this.options.keepsOld?.() ? undefined : clearBuffer(...given));
    const beginComputePass = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = (descriptor) => {
      const pass = beginComputePass(descriptor);
      const setPipeline = pass.setPipeline.bind(pass);
      let part = 1;
      pass.setPipeline = (pipeline) => {
        this.options.onUse?.(pipeline.label, this);
        part = this.options.partOf?.(pipeline.label) ?? 1;
        return setPipeline(pipeline);
      };
      const setBindGroup: (...given: unknown[]) => undefined = pass.setBindGroup.bind(pass) as never;
      pass.setBindGroup = ((...given: [number, GPUBindGroup, number[]]) => {
        if (part < 1) this.cut.push({ offset: given[2][0]!, part });
        return setBindGroup(...given);
      }) as typeof pass.setBindGroup;
      const dispatch = pass.dispatchWorkgroups.bind(pass);
      pass.dispatchWorkgroups = (x, ...more) => {
        if (part === 2) dispatch(x, ...more);
        return dispatch(part === 0 ? 0 : Math.max(1, Math.floor(x * Math.min(part, 1))), ...more);
      };
      return pass;
    };
    return encoder;
  }
}

/** An object of WebGPU with some of its members replaced. */
export function viewOf<T extends object>(real: T, replaced: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(real, {
    get: (target, name) => {
      if (Object.hasOwn(replaced, name)) return replaced[name as keyof T];
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function sizeOf(buffers: readonly GPUBuffer[]): number {
  return buffers.reduce((sum, { size }) => sum + size, 0);
}
