import { throwIfAborted, untilAborted } from '../../abort.js';
import type { GpuDevice } from './device.js';
import { BufferUsage } from './flags.js';
import { STAGING_CHUNK_BYTES } from './staging.js';

/** A buffer of its own for `contents`, whose bytes are a multiple of 4 and not 0. `OUT_OF_MEMORY` when the device has too little memory. */
export async function uploadBuffer(
  gpu: GpuDevice,
  label: string,
  contents: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<GPUBuffer> {
  throwIfAborted(signal);
  const { value: buffer, done } = gpu.checked(() =>
    gpu.device.createBuffer({
      label,
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
