import { SCALAR_BYTES } from '../../../curves/index.js';
import type { GpuDevice } from '../runtime/device.js';
import { BufferUsage } from '../runtime/flags.js';
import type { Reclaimable } from '../runtime/gpu-memory.js';
import { RECURRENCE_BLOCK } from './vector-stages.js';

const USAGE = BufferUsage.STORAGE | BufferUsage.COPY_SRC | BufferUsage.COPY_DST;

/**
 * Sizes are rounded up to a multiple of this part of them, so that vectors of about one length take each other's place.
 */
const ROUNDING = 1 / 8;
const LEAST_BYTES = 256;

/** FFLONK divides by X^8, X^4 and X^3 less constants, with recurrences of these strides. */
const STRIDES = 8 * 3;

/** A free buffer is taken for a vector of at least this part of its size. */
const LEAST_USE = 0.5;

/**
 * The buffers of vectors on a device. Free ones hold zeros, and are kept for the next vectors until another computation
 * needs the room.
 */
export class VectorMemory implements Reclaimable {
  private free: GPUBuffer[] = [];

  /** The most bytes of a buffer that can be bound as a whole. */
  private readonly most: number;
  /** Elements of the longest vector in one buffer. */
  readonly longest: number;
  /** Elements of each buffer of a longer one: whole blocks of a recurrence with any stride that is used. */
  readonly elementsPerBuffer: number;

  constructor(private readonly gpu: GpuDevice) {
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    this.most = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    this.longest = Math.floor(this.most / SCALAR_BYTES);
    this.elementsPerBuffer = this.longest - (this.longest % (STRIDES * RECURRENCE_BLOCK));
  }

  /** Bytes of the free buffers. */
  get bytes(): number {
    return this.free.reduce((sum, { size }) => sum + size, 0);
  }

  /** Bytes of each buffer of a vector. */
  sizes(length: number): number[] {
    const bytes = Math.max(1, length) * SCALAR_BYTES;
    if (length <= this.longest) return [bytes];
    const each = this.elementsPerBuffer * SCALAR_BYTES;
    const full = Math.ceil(bytes / each) - 1;
    return [...new Array<number>(full).fill(each), bytes - full * each];
  }

  /** A free buffer of zeros with at least so many bytes; undefined if there is none. */
  take(bytes: number): GPUBuffer | undefined {
    let best = -1;
    for (const [i, { size }] of this.free.entries()) {
      const fits = size >= bytes && bytes >= LEAST_USE * size;
      if (fits && (best < 0 || size < this.free[best]!.size)) best = i;
    }
    return best < 0 ? undefined : this.free.splice(best, 1)[0];
  }

  /**
   * In a turn, when all steps that use other buffers are submitted: a new buffer of zeros, of one of the `sizes`.
   * `OUT_OF_MEMORY` when the device, or its budget, has too little memory for it.
   *
   * @param inUse scratch memory that is kept.
   */
  async create(bytes: number, isLasting: boolean, inUse: Reclaimable): Promise<GPUBuffer> {
    const { memory } = this.gpu;
    const step = 2 ** Math.ceil(Math.log2(Math.max(LEAST_BYTES, bytes * ROUNDING)));
    const size = isLasting ? bytes : Math.min(this.most, Math.ceil(bytes / step) * step);
    if (isLasting) memory.expectResident(size, 'polynomials');
    await memory.makeRoom(size, inUse);
    return memory.create({ label: isLasting ? 'polynomials' : 'vectors', size, usage: USAGE });
  }

  /** Takes back a buffer that the steps that are submitted next, at the latest, fill with zeros. */
  give(buffer: GPUBuffer): void {
    this.free.push(buffer);
    this.gpu.memory.offer(this);
  }

  /** In a turn: frees the buffers that nobody uses. */
  destroy(): void {
    this.gpu.memory.withdraw(this);
    for (const buffer of this.free.splice(0)) this.gpu.memory.destroy(buffer);
  }
}
