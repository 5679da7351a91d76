import type { GpuMemory } from './gpu-memory.js';

/** Buffers that stay on a device between calls, until they are released. */
export abstract class ResidentBuffers {
  private released = false;

  /** @param onRelease called once; must call `free` when nothing uses the buffers any more. */
  protected constructor(
    protected readonly memory: GpuMemory,
    protected owned: readonly GPUBuffer[],
    private readonly onRelease: (released: ResidentBuffers) => void,
  ) {}

  /** Bytes of all buffers. */
  get bytes(): number {
    return this.owned.reduce((sum, { size }) => sum + size, 0);
  }

  get isReleased(): boolean {
    return this.released;
  }

  /** Idempotent. */
  release(): void {
    if (this.released) return;
    this.released = true;
    this.onRelease(this);
  }

  /** Destroys the buffers. */
  free(): void {
    for (const buffer of this.owned) this.memory.destroy(buffer);
  }
}
