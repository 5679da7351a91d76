import { untilAborted } from '../../../base/abort.js';
import { BufferUsage, MapMode } from './flags.js';
import type { GuardedDevice } from './guarded-device.js';

/** Bytes of a chunk of staging memory. On an H200 chunks of 1 to 8 MiB were equally fast. */
export const STAGING_CHUNK_BYTES = 2 * 2 ** 20;

/** Chunks at most: enough that the next are filled while the first are on their way. */
const MAX_CHUNKS = 16;

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

  constructor(private readonly gpu: GuardedDevice) {}

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.made * STAGING_CHUNK_BYTES;
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
    if (this.made < MAX_CHUNKS) return this.create();
    return this.gpu.whileAlive(new Promise((resolve) => this.waiting.push(resolve)));
  }

  private async create(): Promise<StagingChunk> {
    this.made++;
    const { value: buffer, done } = this.gpu.checked(() =>
      this.gpu.device.createBuffer({
        label: 'staging',
        size: STAGING_CHUNK_BYTES,
        usage: BufferUsage.MAP_WRITE | BufferUsage.COPY_SRC,
        mappedAtCreation: true,
      }),
    );
    try {
      await done;
    } catch (error) {
      this.made--;
      throw error;
    }
    return { buffer, bytes: new Uint8Array(buffer.getMappedRange()) };
  }
}
