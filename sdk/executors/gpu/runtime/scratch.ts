import { PippinError } from '../../../base/errors.js';
import type { GpuDevice } from './device.js';
import { BufferUsage } from './flags.js';
import type { ScratchLayout } from './scratch-layout.js';
import { SUBMIT_PARAMS_BYTES } from './submit-params.js';

/** A GPU buffer of a scratch: one of the layout's allocations by its index, or a submit's `Params`. */
type Part = number | 'params';

const USAGES = {
  allocation: BufferUsage.STORAGE | BufferUsage.COPY_DST | BufferUsage.COPY_SRC,
  params: BufferUsage.UNIFORM | BufferUsage.COPY_DST,
} as const;

/**
 * The memory of computations that run one after another: reused by the next one, each part as large as needed so far.
 * Its buffers may be replaced once a computation's steps are submitted, since WebGPU keeps the buffers in use. Between
 * two computations it is freed if another one on the device needs the room (`GpuMemory.makeRoom`).
 */
export class Scratch<Buffer extends string> {
  private readonly parts = new Map<Part, GPUBuffer>();
  private layout: ScratchLayout<Buffer> = { allocations: [], buffers: new Map() };

  constructor(private readonly gpu: GpuDevice) {}

  get bytes(): number {
    let sum = 0;
    for (const buffer of this.parts.values()) sum += buffer.size;
    return sum;
  }

  /**
   * In a turn: makes every part at least as large as the layout asks for, and all of them together not larger than
   * `budget` bytes. The buffers' contents are undefined. Rejects with `OUT_OF_MEMORY` when the device or its budget has
   * too little memory.
   */
  async prepare(layout: ScratchLayout<Buffer>, budget: number): Promise<void> {
    this.layout = layout;
    const wanted = new Map<Part, number>(layout.allocations.entries());
    wanted.set('params', SUBMIT_PARAMS_BYTES);
    let grown = 0;
    for (const part of new Set([...wanted.keys(), ...this.parts.keys()])) {
      grown += Math.max(wanted.get(part) ?? 0, this.parts.get(part)?.size ?? 0);
    }
    for (const [part, { size }] of [...this.parts]) {
      const bytes = wanted.get(part) ?? 0;
      if (size < bytes || (size > bytes && grown > budget)) this.drop(part);
    }
    const missing = [...wanted].filter(([part]) => !this.parts.has(part));
    if (missing.length === 0) return;
    const { memory } = this.gpu;
    await memory.makeRoom(
      missing.reduce((sum, [, size]) => sum + size, 0),
      this,
    );
    try {
      const buffers = await memory.createAll(missing.map(([part, size]) => descriptorOf(part, size)));
      for (const [i, [part]] of missing.entries()) this.parts.set(part, buffers[i]!);
      memory.offer(this);
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  /** The GPU buffer that a buffer of the layout is in, at offset 0. */
  get(buffer: Buffer): GPUBuffer {
    return this.part(this.place(buffer).allocation);
  }

  /** Bytes of a buffer of the layout; its GPU buffer may be larger. */
  bytesOf(buffer: Buffer): number {
    return this.place(buffer).bytes;
  }

  /**
   * The GPU buffers of the layout, and the bytes that it uses of each: the rest is of larger computations before, which
   * wiped it.
   */
  get used(): { readonly buffer: GPUBuffer; readonly bytes: number }[] {
    return this.layout.allocations.map((bytes, part) => ({ buffer: this.part(part), bytes }));
  }

  get params(): GPUBuffer {
    return this.part('params');
  }

  destroy(): void {
    this.gpu.memory.withdraw(this);
    for (const part of [...this.parts.keys()]) this.drop(part);
  }

  private place(buffer: Buffer): { readonly allocation: number; readonly bytes: number } {
    const place = this.layout.buffers.get(buffer);
    if (place === undefined) throw new PippinError('INTERNAL', `expected ${buffer} in the layout, got none`);
    return place;
  }

  private part(part: Part): GPUBuffer {
    const buffer = this.parts.get(part);
    if (buffer === undefined) throw new PippinError('INTERNAL', `expected prepared memory, got none for ${part}`);
    return buffer;
  }

  private drop(part: Part): void {
    const buffer = this.parts.get(part);
    if (buffer !== undefined) this.gpu.memory.destroy(buffer);
    this.parts.delete(part);
  }
}

function descriptorOf(part: Part, size: number): GPUBufferDescriptor {
  const usage = typeof part === 'number' ? USAGES.allocation : USAGES[part];
  return { label: `scratch ${part}`, size, usage };
}
