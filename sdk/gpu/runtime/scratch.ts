import { PippinError } from '../../errors.js';
import type { GpuDevice } from './device.js';
import { BufferUsage } from './flags.js';
import type { ScratchRole } from './stage.js';

/** What a buffer is for, where it is no storage. */
const USAGES: Partial<Record<ScratchRole, number>> = {
  params: BufferUsage.UNIFORM | BufferUsage.COPY_DST,
  readback: BufferUsage.MAP_READ | BufferUsage.COPY_DST,
};
const STORAGE = BufferUsage.STORAGE | BufferUsage.COPY_DST | BufferUsage.COPY_SRC;

export type ScratchBytes = Readonly<Partial<Record<ScratchRole, number>>>;

/** Bytes of all buffers together. */
export function totalBytes(sizes: ScratchBytes): number {
  return Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
}

/** The buffers of the multiplications on one device: kept from one to the next, each as large as was needed so far. */
export class Scratch {
  private readonly buffers = new Map<ScratchRole, GPUBuffer>();

  constructor(private readonly gpu: GpuDevice) {}

  get bytes(): number {
    let sum = 0;
    for (const buffer of this.buffers.values()) sum += buffer.size;
    return sum;
  }

  /**
   * Makes every buffer at least as large as it must be, and all of them together not larger than `budget` bytes.
   * What they hold is undefined. Rejects with `OUT_OF_MEMORY` when the device has too little.
   */
  async prepare(sizes: ScratchBytes, budget: number): Promise<void> {
    const wanted = Object.entries(sizes) as [ScratchRole, number][];
    const grown = wanted.reduce((sum, [role, bytes]) => sum + Math.max(bytes, this.buffers.get(role)?.size ?? 0), 0);
    for (const [role, bytes] of wanted) {
      const size = this.buffers.get(role)?.size ?? 0;
      if (size < bytes || (size > bytes && grown > budget)) this.drop(role);
    }
    const missing = wanted.filter(([role]) => !this.buffers.has(role));
    if (missing.length === 0) return;
    const { done } = this.gpu.checked(() => {
      for (const [role, size] of missing) this.buffers.set(role, this.create(role, size));
    });
    try {
      await done;
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  get(role: ScratchRole): GPUBuffer {
    const buffer = this.buffers.get(role);
    if (buffer === undefined) throw new PippinError('INTERNAL', `expected a prepared buffer, got none for ${role}`);
    return buffer;
  }

  destroy(): void {
    for (const role of [...this.buffers.keys()]) this.drop(role);
  }

  private create(label: ScratchRole, size: number): GPUBuffer {
    return this.gpu.device.createBuffer({
      label,
      size,
      usage: USAGES[label] ?? STORAGE,
    });
  }

  /** Destroys a buffer that is in an unknown state; the next multiplication gets a new one. */
  drop(role: ScratchRole): void {
    this.buffers.get(role)?.destroy();
    this.buffers.delete(role);
  }
}
