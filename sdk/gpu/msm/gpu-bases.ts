import { throwIfAborted, untilAborted } from '../../abort.js';
import type { ResidentBases } from '../../msm/backend.js';
import type { PreparedBases } from '../../msm/prepared.js';
import type { GpuDevice } from '../runtime/device.js';
import { BufferUsage } from '../runtime/flags.js';
import { STAGING_CHUNK_BYTES } from '../runtime/staging.js';

/** A run of bases in a buffer of its own: a large set may exceed what one binding can hold. */
export interface BaseBuffer {
  readonly buffer: GPUBuffer;
  readonly points: number;
}

/** Bases that lie in the memory of a GPU. */
export class GpuBases implements ResidentBases {
  private released = false;

  private constructor(
    readonly count: number,
    readonly buffers: readonly BaseBuffer[],
    readonly bytes: number,
    private readonly onRelease: (bases: GpuBases) => void,
  ) {}

  /**
   * Uploads prepared points in slices, into buffers of at most `pointsPerBuffer`. `OUT_OF_MEMORY` when the device has too
   * little memory. `onRelease` is told once; it is to call `free` when nobody works with them any more.
   */
  static async upload(
    gpu: GpuDevice,
    prepared: PreparedBases,
    baseBytes: number,
    pointsPerBuffer: number,
    options: { signal?: AbortSignal | undefined; onRelease: (bases: GpuBases) => void },
  ): Promise<GpuBases> {
    const buffers: BaseBuffer[] = [];
    const bases = new GpuBases(prepared.kept, buffers, prepared.kept * baseBytes, options.onRelease);
    try {
      for (let start = 0; start < prepared.kept; start += pointsPerBuffer) {
        const points = Math.min(pointsPerBuffer, prepared.kept - start);
        const contents = prepared.points.subarray(start * baseBytes, (start + points) * baseBytes);
        buffers.push({ points, buffer: await uploadBuffer(gpu, contents, options.signal) });
      }
    } catch (error) {
      bases.free();
      throw error;
    }
    return bases;
  }

  get isReleased(): boolean {
    return this.released;
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    this.onRelease(this);
  }

  /** Destroys the buffers. */
  free(): void {
    for (const { buffer } of this.buffers) buffer.destroy();
  }
}

async function uploadBuffer(gpu: GpuDevice, contents: Uint8Array, signal: AbortSignal | undefined): Promise<GPUBuffer> {
  throwIfAborted(signal);
  const { value: buffer, done } = gpu.checked(() =>
    gpu.device.createBuffer({
      label: 'bases',
      size: contents.byteLength,
      usage: BufferUsage.STORAGE | BufferUsage.COPY_DST,
    }),
  );
  try {
    await done;
    for (let at = 0; at < contents.byteLength; at += STAGING_CHUNK_BYTES) {
      await uploadChunk(gpu, contents.subarray(at, at + STAGING_CHUNK_BYTES), buffer, at, signal);
    }
    await untilAborted(gpu.whileAlive(gpu.device.queue.onSubmittedWorkDone()), signal);
  } catch (error) {
    buffer.destroy();
    throw error;
  }
  return buffer;
}

/** Submits a copy of at most a staging chunk's bytes. */
async function uploadChunk(
  gpu: GpuDevice,
  bytes: Uint8Array,
  target: GPUBuffer,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const chunk = await gpu.staging.acquire(signal);
  chunk.bytes.set(bytes);
  const { done } = gpu.checked(() => {
    const encoder = gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(chunk.buffer, 0, target, offset, bytes.byteLength);
    gpu.staging.seal(chunk);
    gpu.device.queue.submit([encoder.finish()]);
    gpu.staging.recycle(chunk);
  });
  await untilAborted(done, signal);
}
