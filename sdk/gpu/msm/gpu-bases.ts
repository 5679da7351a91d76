import type { ResidentBases } from '../../msm/backend.js';
import type { PreparedBases } from '../../msm/prepared.js';
import type { GpuDevice } from '../runtime/device.js';
import { U32_BYTES } from '../runtime/stage.js';
import { uploadBuffer } from '../runtime/upload-buffer.js';

/** A run of bases in a buffer of its own: a large set may exceed what one binding can hold. */
export interface BaseBuffer {
  readonly buffer: GPUBuffer;
  readonly points: number;
}

/** Bases that lie in the memory of a GPU. */
export class GpuBases implements ResidentBases {
  private released = false;
  /** For each base the number of its scalar among those of all points; undefined where all points are bases. */
  indices: GPUBuffer | undefined;

  private constructor(
    readonly count: number,
    readonly buffers: readonly BaseBuffer[],
    readonly bytes: number,
    private readonly onRelease: (bases: GpuBases) => void,
  ) {}

  /**
   * Uploads prepared points in slices, into buffers of at most `pointsPerBuffer`, and their `indices`. `OUT_OF_MEMORY` when the device has
   * too little memory. `onRelease` is told once; it is to call `free` when nobody works with them any more.
   */
  static async upload(
    gpu: GpuDevice,
    prepared: PreparedBases,
    baseBytes: number,
    pointsPerBuffer: number,
    options: { signal?: AbortSignal | undefined; onRelease: (bases: GpuBases) => void },
  ): Promise<GpuBases> {
    const buffers: BaseBuffer[] = [];
    const { kept, indices } = prepared;
    const bases = new GpuBases(kept, buffers, basesBytes(prepared, baseBytes), options.onRelease);
    try {
      if (indices !== undefined && kept > 0) {
        const contents = new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength);
        bases.indices = await uploadBuffer(gpu, 'indices', contents, options.signal);
      }
      for (let start = 0; start < prepared.kept; start += pointsPerBuffer) {
        const points = Math.min(pointsPerBuffer, prepared.kept - start);
        const contents = prepared.points.subarray(start * baseBytes, (start + points) * baseBytes);
        buffers.push({ points, buffer: await uploadBuffer(gpu, 'bases', contents, options.signal) });
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
    this.indices?.destroy();
  }
}

/** Bytes that bases take on a device. */
export function basesBytes({ kept, indices }: PreparedBases, baseBytes: number): number {
  return kept * baseBytes + (indices === undefined ? 0 : kept * U32_BYTES);
}
