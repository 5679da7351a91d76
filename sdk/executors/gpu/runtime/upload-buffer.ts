import { throwIfAborted, untilAborted } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import type { Lease } from '../../../base/memory-budget.js';
import type { GpuDevice } from './device.js';
import { BufferUsage } from './flags.js';

/** Uploaded buffers may be copied to other buffers. */
const UPLOADED = BufferUsage.STORAGE | BufferUsage.COPY_DST | BufferUsage.COPY_SRC;

/**
 * A buffer's label and contents: bytes, or several consecutive parts. Each length is a multiple of 4, and the total is
 * not 0.
 */
export interface UploadRequest {
  readonly label: string;
  readonly contents: Uint8Array | readonly Uint8Array[];
  /** The lease that its bytes are taken from. */
  readonly lease?: Lease | undefined;
}

/** Uploads to a new buffer. `OUT_OF_MEMORY` when the device or its budget has too little memory. */
export async function uploadBuffer(
  gpu: GpuDevice,
  { label, contents, lease }: UploadRequest,
  signal: AbortSignal | undefined,
): Promise<GPUBuffer> {
  throwIfAborted(signal);
  const parts = contents instanceof Uint8Array ? [contents] : contents;
  const size = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const buffer = await gpu.memory.create({ label, size, usage: UPLOADED }, lease);
  try {
    let offset = 0;
    for (const part of parts) {
      await uploadInto(gpu, buffer, part, { signal, offset });
      offset += part.byteLength;
    }
    // Bytes whose memory was freed meanwhile have length 0, and their part of the buffer would stay zero.
    if (offset !== size) throw new PippinError('INTERNAL', `expected ${size} bytes for ${label}, got ${offset}`);
    await untilAborted(gpu.whileAlive(gpu.device.queue.onSubmittedWorkDone()), signal);
  } catch (error) {
    gpu.memory.destroy(buffer);
    throw error;
  }
  return buffer;
}

/**
 * Uploads `contents`, a multiple of 4 bytes, to a buffer, from byte `offset` on. Fulfilled when the copies are
 * submitted. Secret contents are wiped from the staging memory.
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
  const { chunkBytes } = gpu.staging;
  for (let at = 0; at < contents.byteLength; at += chunkBytes) {
    const bytes = contents.subarray(at, at + chunkBytes);
    const chunk = await gpu.staging.acquire(signal);
    chunk.bytes.set(bytes);
    const { done } = gpu.checked(() => {
      const encoder = gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(chunk.buffer, 0, buffer, offset + at, bytes.byteLength);
      gpu.staging.seal(chunk);
      gpu.device.queue.submit([encoder.finish()]);
      gpu.staging.recycle(chunk, isSecret ? bytes.byteLength : 0);
    });
    // A failure is awaited below.
    done.catch(() => undefined);
    submitted.push(done);
  }
  await untilAborted(Promise.all(submitted), signal);
}
