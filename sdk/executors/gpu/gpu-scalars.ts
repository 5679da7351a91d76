import type { DeviceScalars } from '../../bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import type { GpuDevice } from './runtime/device.js';
import { BufferUsage } from './runtime/flags.js';
import { uploadInto } from './runtime/upload-buffer.js';

/** Canonical scalars of 32 bytes in a GPU buffer, which MSMs on the same device read directly. */
export class GpuScalars implements DeviceScalars {
  readonly kind = 'device';
  private released = false;

  private constructor(
    private readonly gpu: GpuDevice,
    readonly count: number,
    readonly buffer: GPUBuffer,
    private readonly onFreed: () => void,
  ) {}

  /**
   * In a turn: allocates `count` scalars, initially 0. `OUT_OF_MEMORY` when the device or its budget has too little
   * memory. `onFreed` is called once.
   */
  static async create(gpu: GpuDevice, count: number, onFreed: () => void = () => undefined): Promise<GpuScalars> {
    const size = count * SCALAR_BYTES;
    await gpu.memory.makeRoom(size);
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_SRC | BufferUsage.COPY_DST;
    return new GpuScalars(gpu, count, await gpu.memory.create({ label: 'scalars', size, usage }), onFreed);
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

  get bytes(): number {
    return this.buffer.size;
  }

  /** Whether they are on this device. */
  isOn({ device }: GpuDevice): boolean {
    return this.gpu.device === device;
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    void this.gpu.turns.run(async () => this.free());
  }

  private free(): void {
    const { device } = this.gpu;
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(this.buffer);
    device.queue.submit([encoder.finish()]);
    this.gpu.memory.destroy(this.buffer);
    this.onFreed();
  }
}
