import { untilAborted } from '../../../base/abort.js';
import { BufferUsage, MapMode } from './flags.js';
import type { GpuMemory } from './gpu-memory.js';
import type { GuardedDevice } from './guarded-device.js';

/** A mapped staging buffer that is being filled. */
export interface StagingChunk {
  readonly buffer: GPUBuffer;
  /** The mapped range to write to; detached once the chunk is sealed. */
  readonly bytes: Uint8Array;
}

/**
 * A ring of staging buffers for uploads, each mapped again as soon as the GPU has copied its contents.
 * `queue.writeBuffer` allocates new ones for every large write, and takes up to four times as long
 * (docs/strategies/gpu-uploads-and-plans.md).
 */
export class Staging {
  private readonly ready: StagingChunk[] = [];
  private readonly waiting: ((chunk: StagingChunk) => void)[] = [];
  private made = 0;

  constructor(
    private readonly gpu: GuardedDevice,
    private readonly memory: GpuMemory,
  ) {}

  /** Bytes of a chunk. */
  get chunkBytes(): number {
    return this.memory.staging.chunkBytes;
  }

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.made * this.chunkBytes;
  }

  /** A chunk to fill; waits while all are in transit. */
  async acquire(signal: AbortSignal | undefined): Promise<StagingChunk> {
    const next = this.next();
    try {
      return await untilAborted(next, signal);
    } catch (error) {
      next.then(
        (chunk) => this.putBack(chunk),
        () => undefined,
      );
      throw error;
    }
  }

  /** Takes back a chunk that was not sealed. */
  putBack(chunk: StagingChunk): void {
    const next = this.waiting.shift();
    if (next !== undefined) next(chunk);
    else this.ready.push(chunk);
  }

  /** Unmaps a chunk: to be called before the submit that copies it. */
  seal({ buffer }: StagingChunk): void {
    buffer.unmap();
  }

  /**
   * Makes a sealed chunk available again when the submitted work is done with it. Its first `secret` bytes are wiped
   * first.
   */
  recycle({ buffer }: StagingChunk, secret = 0): void {
    this.gpu.whileAlive(buffer.mapAsync(MapMode.WRITE)).then(
      () => {
        const bytes = new Uint8Array(buffer.getMappedRange());
        bytes.fill(0, 0, secret);
        this.putBack({ buffer, bytes });
      },
      // Only a lost device fails to map its own buffer; `whileAlive` rejects for callers that wait for a chunk.
      () => undefined,
    );
  }

  private async next(): Promise<StagingChunk> {
    this.gpu.throwIfLost();
    const chunk = this.ready.pop();
    if (chunk !== undefined) return chunk;
    if (this.made < this.memory.staging.chunks) return this.create();
    return this.gpu.whileAlive(new Promise((resolve) => this.waiting.push(resolve)));
  }

  private async create(): Promise<StagingChunk> {
    this.made++;
    try {
      const buffer = await this.memory.create({
        label: 'staging',
        size: this.chunkBytes,
        usage: BufferUsage.MAP_WRITE | BufferUsage.COPY_SRC,
        mappedAtCreation: true,
      });
      return { buffer, bytes: new Uint8Array(buffer.getMappedRange()) };
    } catch (error) {
      this.made--;
      throw error;
    }
  }
}
