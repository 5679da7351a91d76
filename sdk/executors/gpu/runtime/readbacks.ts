import { BufferUsage, MapMode } from './flags.js';
import type { GpuMemory } from './gpu-memory.js';
import type { GuardedDevice } from './guarded-device.js';

/** Buffers through which results come back to the host, one for each computation that is under way. They are kept for later ones. */
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

  /** A buffer of at least `size` bytes, to copy results to. To be given to `read` or `drop`. `OUT_OF_MEMORY` when the device has too little. */
  async take(size: number): Promise<GPUBuffer> {
    const found = this.free.findIndex((buffer) => buffer.size >= size);
    if (found >= 0) return this.free.splice(found, 1)[0]!;
    // A larger one serves those as well that a smaller one was kept for.
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

  /** The first `size` bytes, when all that was submitted is done. Then they are wiped, and the buffer is kept. */
  async read(buffer: GPUBuffer, size: number): Promise<Uint8Array> {
    try {
      await this.gpu.whileAlive(buffer.mapAsync(MapMode.READ, 0, size));
      const bytes = new Uint8Array(buffer.getMappedRange(0, size)).slice();
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

  /** Destroys a buffer that `take` gave. */
  drop(buffer: GPUBuffer): void {
    this.kept -= buffer.size;
    this.memory.destroy(buffer);
  }
}
