import type { DeviceScalars } from '../../bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { ElementBuffers } from './element-buffers.js';
import type { GpuDevice } from './runtime/device.js';
import { BufferUsage } from './runtime/flags.js';
import { uploadInto } from './runtime/upload-buffer.js';

/** Canonical scalars of 32 bytes on a GPU, which MSMs on the same device read directly. */
export class GpuScalars implements DeviceScalars {
  readonly kind = 'device';
  private released = false;

  /** @param onRelease frees the buffers, in a turn. */
  private constructor(
    private readonly gpu: GpuDevice,
    readonly count: number,
    private readonly expectElements: () => ElementBuffers,
    private readonly onRelease: (() => void) | undefined,
  ) {}

  /** Scalars that somebody else keeps. They need not be there before the turn of the MSM that takes them. */
  static of(gpu: GpuDevice, count: number, expectElements: () => ElementBuffers): GpuScalars {
    return new GpuScalars(gpu, count, expectElements, undefined);
  }

  /**
   * In a turn: allocates `count` scalars, initially 0. `OUT_OF_MEMORY` when the device or its budget has too little
   * memory. `onFreed` is called once.
   */
  static async create(gpu: GpuDevice, count: number, onFreed: () => void = () => undefined): Promise<GpuScalars> {
    const size = count * SCALAR_BYTES;
    await gpu.memory.makeRoom(size);
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_SRC | BufferUsage.COPY_DST;
    const buffer = await gpu.memory.create({ label: 'scalars', size, usage });
    const free = (): void => {
      const encoder = gpu.device.createCommandEncoder();
      encoder.clearBuffer(buffer);
      gpu.device.queue.submit([encoder.finish()]);
      gpu.memory.destroy(buffer);
      onFreed();
    };
    const elements = new ElementBuffers([buffer]);
    return new GpuScalars(gpu, count, () => elements, free);
  }

  /** In a turn: uploads scalars of 32 bytes each. `bytes` must not change meanwhile. */
  static async upload(gpu: GpuDevice, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<GpuScalars> {
    const scalars = await GpuScalars.create(gpu, bytes.length / SCALAR_BYTES);
    try {
      await uploadInto(gpu, scalars.buffer, bytes, { signal, isSecret: true });
    } catch (error) {
      scalars.release();
      throw error;
    }
    return scalars;
  }

  get isReleased(): boolean {
    return this.released;
  }

  get elements(): ElementBuffers {
    return this.expectElements();
  }

  /** The first buffer; uploaded ones have no other. */
  get buffer(): GPUBuffer {
    return this.elements.buffers[0]!;
  }

  get bytes(): number {
    return this.elements.bytes;
  }

  /** Whether they are on this device. */
  isOn({ device }: GpuDevice): boolean {
    return this.gpu.device === device;
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    const { onRelease } = this;
    if (onRelease !== undefined) void this.gpu.turns.run(async () => onRelease());
  }
}
