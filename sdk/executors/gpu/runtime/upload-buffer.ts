import { throwIfAborted, untilAborted } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import type { GpuDevice } from './device.js';
import { BufferUsage } from './flags.js';
import { STAGING_CHUNK_BYTES } from './staging.js';

/**
 * A buffer of its own for `contents`, or for several parts one behind the other. Their bytes are a multiple of 4 and not all 0. `OUT_OF_MEMORY` when
 * the device has too little memory.
 */
export async function uploadBuffer(
  gpu: GpuDevice,
  label: string,
  contents: Uint8Array | readonly Uint8Array[],
  signal: AbortSignal | undefined,
): Promise<GPUBuffer> {
  throwIfAborted(signal);
  const parts = contents instanceof Uint8Array ? [contents] : contents;
  const size = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const { value: buffer, done } = gpu.checked(() =>
    gpu.device.createBuffer({
      label,
      size,
      usage: BufferUsage.STORAGE | BufferUsage.COPY_DST,
    }),
  );
  try {
    await done;
    let offset = 0;
    for (const part of parts) {
      await uploadInto(gpu, buffer, part, { signal, offset });
      offset += part.byteLength;
    }
    // Bytes whose memory was freed meanwhile have no length any more, and what they were to fill would stay zero.
    if (offset !== size) throw new PippinError('INTERNAL', `expected ${size} bytes for ${label}, got ${offset}`);
    await untilAborted(gpu.whileAlive(gpu.device.queue.onSubmittedWorkDone()), signal);
  } catch (error) {
    buffer.destroy();
    throw error;
  }
  return buffer;
}

/**
 * Brings `contents`, a multiple of 4 bytes, to a buffer, from byte `offset` on. Fulfilled when the copies are submitted. What is secret is wiped
 * from the staging memory.
 */
export async function uploadInto(
  gpu: GpuDevice,
  buffer: GPUBuffer,
  contents: Uint8Array,
  {
    signal,
    isSecret = false,
    offset = 0,
  }: { readonly signal?: AbortSignal | undefined; readonly isSecret?: boolean; readonly offset?: number },
): Promise<void> {
  const submitted: Promise<void>[] = [];
  for (let at = 0; at < contents.byteLength; at += STAGING_CHUNK_BYTES) {
    const bytes = contents.subarray(at, at + STAGING_CHUNK_BYTES);
    const chunk = await gpu.staging.acquire(signal);
    chunk.bytes.set(bytes);
    const { done } = gpu.checked(() => {
      const encoder = gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(chunk.buffer, 0, buffer, offset + at, bytes.byteLength);
      gpu.staging.seal(chunk);
      gpu.device.queue.submit([encoder.finish()]);
      gpu.staging.recycle(chunk, isSecret ? bytes.byteLength : 0);
    });
    // A failure shows below.
    done.catch(() => undefined);
    submitted.push(done);
  }
  await untilAborted(Promise.all(submitted), signal);
}
