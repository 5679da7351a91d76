import { BudgetExceeded } from '../../../base/memory-budget.js';
import type { GpuDevice } from '../runtime/device.js';
import { BufferUsage } from '../runtime/flags.js';
import type { Reclaimable } from '../runtime/gpu-memory.js';

const USAGE = BufferUsage.STORAGE | BufferUsage.COPY_SRC | BufferUsage.COPY_DST;

/**
 * Sizes are rounded up to a multiple of this part of them, so that vectors of about one length take each other's place.
 */
const ROUNDING = 1 / 8;
const LEAST_BYTES = 256;

/** A free buffer is taken for a vector of at least this part of its size. */
const LEAST_USE = 0.5;

/**
 * The buffers of vectors on a device. Free ones hold zeros, and are kept for the next vectors until another computation
 * needs the room.
 */
export class VectorMemory implements Reclaimable {
  private free: GPUBuffer[] = [];

  constructor(private readonly gpu: GpuDevice) {}

  /** Bytes of the free buffers. */
  get bytes(): number {
    return this.free.reduce((sum, { size }) => sum + size, 0);
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
   * In a turn, when all steps that use other buffers are submitted: a new buffer of zeros. `OUT_OF_MEMORY` when the
   * device, or its budget, has too little memory for it.
   *
   * @param inUse scratch memory that is kept.
   */
  async create(bytes: number, isLasting: boolean, inUse: Reclaimable): Promise<GPUBuffer> {
    const { memory, limits } = this.gpu;
    const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
    if (bytes > most) throw new BudgetExceeded(`expected at most ${most} bytes of a vector on the GPU, got ${bytes}`);
    const step = 2 ** Math.ceil(Math.log2(Math.max(LEAST_BYTES, bytes * ROUNDING)));
    const size = isLasting ? bytes : Math.min(most, Math.ceil(bytes / step) * step);
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
