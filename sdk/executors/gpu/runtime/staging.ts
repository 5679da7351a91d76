import { untilAborted } from '../../../base/abort.js';
import { BufferUsage, MapMode } from './flags.js';
import type { GpuMemory } from './gpu-memory.js';
import type { GuardedDevice } from './guarded-device.js';

/** A mapped buffer that is being filled. */
export interface StagingChunk {
  readonly buffer: GPUBuffer;
  /** What the CPU writes to; gone once the chunk is sealed. */
  readonly bytes: Uint8Array;
}

/**
 * Buffers through which data goes to the GPU, mapped again as soon as the GPU has taken what they held. `queue.writeBuffer`
 * makes such buffers anew for every large write, and takes up to four times as long for it (docs/strategies/gpu-uploads-and-plans.md).
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

  /** A chunk to fill; waits while all are on their way. */
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

  /** Hands what a chunk holds to the GPU: to be called before the submit that copies it. */
  seal({ buffer }: StagingChunk): void {
    buffer.unmap();
  }

  /** Lets a sealed chunk be filled again when all that was submitted is done with it. Its first `secret` bytes are wiped before. */
  recycle({ buffer }: StagingChunk, secret = 0): void {
    this.gpu.whileAlive(buffer.mapAsync(MapMode.WRITE)).then(
      () => {
        const bytes = new Uint8Array(buffer.getMappedRange());
        bytes.fill(0, 0, secret);
        this.putBack({ buffer, bytes });
      },
      // Only a device that is lost fails to map a buffer of its own; who waits for it is told by `whileAlive`.
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
