import type { Lease } from '../../../base/memory-budget.js';
import type { BasesParts, BasesRange, ResidentBases } from '../../../bases/backend.js';
import type { MultiplesPlan } from '../../../bases/multiples.js';
import type { BasesOutline } from '../../../bases/prepared.js';
import type { GpuDevice } from '../runtime/device.js';
import { BufferUsage } from '../runtime/flags.js';
import type { Shrinkable } from '../runtime/gpu-memory.js';
import { ResidentBuffers } from '../runtime/resident-buffers.js';
import { U32_BYTES } from '../runtime/stage.js';
import { uploadBuffer } from '../runtime/upload-buffer.js';

/**
 * A run of bases in a buffer of its own, followed by their multiples: all first ones, then all second ones, and so on.
 * There may be several such buffers, since a large set may exceed the size of one binding.
 */
export interface BaseBuffer {
  readonly buffer: GPUBuffer;
  readonly points: number;
}

/**
 * Consecutive bases of a buffer: `points` of them from index `first` on. A base's next multiple is `multipleStride`
 * bases after it.
 */
export interface BaseRun extends BaseBuffer {
  readonly first: number;
  readonly multipleStride: number;
}

/** The contents of bases on a GPU. */
interface Contents {
  readonly count: number;
  readonly buffers: readonly BaseBuffer[];
  /** The points per buffer; the last one may have fewer. */
  readonly pointsPerBuffer: number;
  /** The multiples of the bases; undefined if none. */
  readonly multiples: MultiplesPlan | undefined;
  /** For each base the index of its scalar among all points' scalars; undefined where all points are bases. */
  readonly indices: GPUBuffer | undefined;
}

/** Bases in GPU memory. */
export class GpuBases extends ResidentBuffers implements ResidentBases, Shrinkable {
  private constructor(
    private readonly gpu: GpuDevice,
    private contents: Contents,
    owned: readonly GPUBuffer[],
    onRelease: (released: ResidentBuffers) => void,
  ) {
    super(gpu.memory, owned, onRelease);
  }

  get count(): number {
    return this.contents.count;
  }

  get buffers(): readonly BaseBuffer[] {
    return this.contents.buffers;
  }

  get pointsPerBuffer(): number {
    return this.contents.pointsPerBuffer;
  }

  get multiples(): MultiplesPlan | undefined {
    return this.contents.multiples;
  }

  get indices(): GPUBuffer | undefined {
    return this.contents.indices;
  }

  /** The runs of a range of bases, in buffer order. */
  runsOf({ from, to }: BasesRange): BaseRun[] {
    const runs: BaseRun[] = [];
    let firstOfBuffer = 0;
    for (const { buffer, points } of this.buffers) {
      const first = Math.max(from - firstOfBuffer, 0);
      const end = Math.min(to - firstOfBuffer, points);
      if (first < end) runs.push({ buffer, first, points: end - first, multipleStride: points });
      firstOfBuffer += points;
    }
    return runs;
  }

  /** In a turn: frees the multiples where something else needs the memory; later MSMs do without them. */
  async shrink(): Promise<void> {
    const { gpu, contents } = this;
    const { multiples, buffers, indices } = contents;
    if (multiples === undefined || this.isReleased) return;
    const alone = buffers.map(({ buffer }) => buffer.size / multiples.multiples);
    await gpu.memory.makeRoom(alone.reduce((sum, bytes) => sum + bytes, 0));
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_DST;
    const copies = await gpu.memory.createAll(alone.map((size) => ({ label: 'bases', size, usage })));
    const { done } = gpu.checked(() => {
      const encoder = gpu.device.createCommandEncoder();
      // The bases themselves come first in a buffer.
      for (const [i, copy] of copies.entries()) encoder.copyBufferToBuffer(buffers[i]!.buffer, 0, copy, 0, copy.size);
      gpu.device.queue.submit([encoder.finish()]);
    });
    await done;
    for (const { buffer } of buffers) gpu.memory.destroy(buffer);
    const rest = buffers.map(({ points }, i) => ({ points, buffer: copies[i]! }));
    this.contents = { ...contents, buffers: rest, multiples: undefined };
    this.owned = indices === undefined ? copies : [...copies, indices];
  }

  /**
   * Uploads prepared points with their multiples, in slices, into the fewest buffers of at most `maxBufferBytes`, and
   * their `indices`. The buffers are about equally large, since a chunk never spans two. `OUT_OF_MEMORY` when the
   * device has too little memory.
   */
  static async upload(
    gpu: GpuDevice,
    { plan, parts }: BasesParts,
    { kept, indices }: Pick<BasesOutline, 'kept' | 'indices'>,
    { baseBytes, maxBufferBytes, lease, signal, onRelease }: UploadOptions,
  ): Promise<GpuBases> {
    const owned: GPUBuffer[] = [];
    const put = async (label: string, contents: Uint8Array | readonly Uint8Array[]): Promise<GPUBuffer> => {
      const buffer = await uploadBuffer(gpu, { label, contents, lease }, signal);
      owned.push(buffer);
      return buffer;
    };
    try {
      const numbers = indices && new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength);
      const indexBuffer = numbers && kept > 0 ? await put('indices', numbers) : undefined;
      const buffers: BaseBuffer[] = [];
      const fewest = Math.max(1, Math.ceil(kept / Math.floor(maxBufferBytes / (parts.length * baseBytes))));
      const pointsPerBuffer = Math.ceil(kept / fewest);
      for (let start = 0; start < kept; start += pointsPerBuffer) {
        const count = Math.min(pointsPerBuffer, kept - start);
        const contents = parts.map((part) => part.subarray(start * baseBytes, (start + count) * baseBytes));
        buffers.push({ points: count, buffer: await put('bases', contents) });
      }
      const contents = { count: kept, buffers, pointsPerBuffer, multiples: plan, indices: indexBuffer };
      return new GpuBases(gpu, contents, owned, onRelease);
    } catch (error) {
      for (const buffer of owned) gpu.memory.destroy(buffer);
      throw error;
    }
  }
}

/** How bases are uploaded. */
interface UploadOptions {
  readonly baseBytes: number;
  readonly maxBufferBytes: number;
  /** The lease that their bytes are taken from. */
  readonly lease: Lease;
  readonly signal: AbortSignal | undefined;
  /** Called once; must call `free` when nothing uses them any more. */
  readonly onRelease: (released: ResidentBuffers) => void;
}

/** Bytes of bases on a device, with `multiples` multiples of each. */
export function basesBytes(
  { kept, indices }: Pick<BasesOutline, 'kept' | 'indices'>,
  baseBytes: number,
  multiples: number,
): number {
  return kept * multiples * baseBytes + (indices === undefined ? 0 : kept * U32_BYTES);
}
