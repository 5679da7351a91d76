import { BufferUsage, MapMode } from './flags.js';
import type { GpuMemory } from './gpu-memory.js';
import type { GuardedDevice } from './guarded-device.js';

/** Readback buffers, one for each pending computation, kept for reuse. */
export class Readbacks {
  private readonly free: GPUBuffer[] = [];
  private kept = 0;

  constructor(
    private readonly gpu: GuardedDevice,
    private readonly memory: GpuMemory,
  ) {}

  /** Bytes of all buffers. */
  get bytes(): number {
    return this.kept;
  }

  /**
   * A buffer of at least `size` bytes, to copy results to; must be passed to `read` or `drop`. `OUT_OF_MEMORY` when the
   * device has too little memory.
   */
  async take(size: number): Promise<GPUBuffer> {
    const found = this.free.findIndex((buffer) => buffer.size >= size);
    if (found >= 0) return this.free.splice(found, 1)[0]!;
    // A larger buffer also replaces a smaller kept one.
    const small = this.free.pop();
    if (small !== undefined) this.drop(small);
    this.kept += size;
    try {
      const usage = BufferUsage.MAP_READ | BufferUsage.COPY_DST;
      return await this.memory.create({ label: 'readback', size, usage });
    } catch (error) {
      this.kept -= size;
      throw error;
    }
  }

  /**
   * What `copy` makes of the first `size` bytes, once all submitted work is done: by default a copy. Then they are
   * wiped on the GPU and the buffer is kept.
   *
   * @param copy gets a view that is valid while it runs.
   */
  async read<Copy = Uint8Array>(
    buffer: GPUBuffer,
    size: number,
    copy: (mapped: Uint8Array) => Copy = (mapped) => mapped.slice() as Copy,
  ): Promise<Copy> {
    try {
      await this.gpu.whileAlive(buffer.mapAsync(MapMode.READ, 0, size));
      const bytes = copy(new Uint8Array(buffer.getMappedRange(0, size)));
      buffer.unmap();
      const encoder = this.gpu.device.createCommandEncoder();
      encoder.clearBuffer(buffer, 0, size);
      this.gpu.device.queue.submit([encoder.finish()]);
      this.free.push(buffer);
      return bytes;
    } catch (error) {
      this.drop(buffer);
      throw error;
    }
  }

  /** Destroys a buffer from `take`. */
  drop(buffer: GPUBuffer): void {
    this.kept -= buffer.size;
    this.memory.destroy(buffer);
  }
}
