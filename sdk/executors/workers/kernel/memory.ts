import { copyBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';

/**
 * The layout of a kernel's memory: data of the points module from address 0, of the modules that share the memory from
 * `SCALARS_BASE` (scalars) and `ELEMENTS_BASE` (vectors) on, and the heap from `HEAP_BASE`.
 */
export const SCALARS_BASE = 0x10000;
export const ELEMENTS_BASE = 0x1c000;
export const HEAP_BASE = 0x20000;

const PAGE_BYTES = 65536;
/** Addresses are unsigned 32-bit numbers. */
const MAX_BYTES = 2 ** 32;
/** Bytes of a cache line: an aligned point of 128 bytes lies on two lines and not on three. */
const ALIGNMENT = 64;

/** Gives the address of a block of so many bytes. */
export type Allocate = (bytes: number) => number;

/** A block of addresses. */
interface Block {
  at: number;
  size: number;
}

/**
 * Allocates blocks of a WASM memory above the modules' own data: first fit among the free blocks, which are joined with
 * free neighbours. The memory grows when no free block is large enough; `OUT_OF_MEMORY` when it cannot.
 */
export class KernelMemory {
  private readonly free: Block[] = [];
  private readonly used = new Map<number, number>();
  private end: number;
  /** What the modules' own data are before anything is computed. */
  private readonly ownData: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  /**
   * The number of scopes that are open, and the addresses between which their blocks have been since the last wiping.
   */
  private scopes = 0;
  private readonly touched = { from: MAX_BYTES, to: 0 };

  constructor(
    private readonly memory: WebAssembly.Memory,
    heapBase: number,
  ) {
    const from = align(heapBase);
    this.end = memory.buffer.byteLength;
    this.free.push({ at: from, size: this.end - from });
  }

  /** Remembers the data of a module that lie between two addresses, as they are now. */
  keepData(from: number, to: number): void {
    this.ownData.push({ at: from, bytes: this.read(from, to - from) });
  }

  /** The address of a block of at least `bytes` bytes, 64-byte aligned and not cleared. */
  allocate(bytes: number): number {
    const size = blockSize(bytes);
    let index = this.free.findIndex((block) => block.size >= size);
    if (index < 0) {
      this.grow(size);
      index = this.free.findIndex((block) => block.size >= size);
    }
    const block = this.free[index]!;
    const { at } = block;
    block.at += size;
    block.size -= size;
    if (block.size === 0) this.free.splice(index, 1);
    this.used.set(at, size);
    return at;
  }

  release(at: number): void {
    const size = this.sizeOf(at);
    this.used.delete(at);
    this.give({ at, size });
  }

  /** Frees all of a block but its first `bytes` bytes. */
  shrink(at: number, bytes: number): void {
    const size = this.sizeOf(at);
    const kept = blockSize(bytes);
    if (kept >= size) return;
    this.used.set(at, kept);
    this.give({ at: at + kept, size: size - kept });
  }

  /**
   * Runs `work` with an allocator whose blocks are all released when the work ends. What they held may be secret: when
   * the outermost scope ends, well or not, they are overwritten with zeros, and the modules' own data are as they were
   * at first.
   */
  async scope<T>(work: (allocate: Allocate) => T | Promise<T>): Promise<T> {
    const { touched } = this;
    const taken: number[] = [];
    this.scopes++;
    try {
      return await work((bytes) => {
        const at = this.allocate(bytes);
        taken.push(at);
        touched.from = Math.min(touched.from, at);
        touched.to = Math.max(touched.to, at + this.sizeOf(at));
        return at;
      });
    } finally {
      for (const at of taken) this.release(at);
      if (--this.scopes === 0) this.wipe();
    }
  }

  write(at: number, bytes: Uint8Array): void {
    new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
  }

  /** A view of the memory itself, valid until the memory grows. */
  view(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** As `view`, of `length` numbers. */
  viewUint32(at: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, at, length);
  }

  /** A copy of memory, with its own buffer. */
  read(at: number, length: number): Uint8Array<ArrayBuffer> {
    return copyBytes(this.view(at, length));
  }

  readUint32(at: number): number {
    return new DataView(this.memory.buffer).getUint32(at, true);
  }

  writeUint32(at: number, value: number): void {
    new DataView(this.memory.buffer).setUint32(at, value, true);
  }

  copy(target: number, source: number, length: number): void {
    new Uint8Array(this.memory.buffer).copyWithin(target, source, source + length);
  }

  clear(at: number, length: number): void {
    new Uint8Array(this.memory.buffer, at, length).fill(0);
  }

  /** Overwrites what scopes have left. Blocks that are in use now are kept: they were not taken by a scope. */
  private wipe(): void {
    const { touched } = this;
    for (const { at, size } of this.free) {
      const from = Math.max(at, touched.from);
      const to = Math.min(at + size, touched.to);
      if (from < to) this.clear(from, to - from);
    }
    touched.from = MAX_BYTES;
    touched.to = 0;
    // Numbers that a function keeps while it computes lie among the modules' data.
    for (const { at, bytes } of this.ownData) this.write(at, bytes);
  }

  private sizeOf(at: number): number {
    const size = this.used.get(at);
    if (size === undefined) throw new PippinError('INTERNAL', `expected an address that was allocated, got ${at}`);
    return size;
  }

  private grow(size: number): void {
    const last = this.free.at(-1);
    const atEnd = last !== undefined && last.at + last.size === this.end ? last.size : 0;
    const pages = Math.ceil((size - atEnd) / PAGE_BYTES);
    if (this.end + pages * PAGE_BYTES > MAX_BYTES) throw outOfMemory(size);
    try {
      this.memory.grow(pages);
    } catch (error) {
      throw outOfMemory(size, error);
    }
    this.give({ at: this.end, size: pages * PAGE_BYTES });
    this.end += pages * PAGE_BYTES;
  }

  /** Adds a block to the free ones, in order of address, joined with its free neighbours. */
  private give(block: Block): void {
    const found = this.free.findIndex((other) => other.at > block.at);
    const index = found < 0 ? this.free.length : found;
    this.free.splice(index, 0, block);
    const next = this.free[index + 1];
    if (next !== undefined && block.at + block.size === next.at) {
      block.size += next.size;
      this.free.splice(index + 1, 1);
    }
    const previous = this.free[index - 1];
    if (previous !== undefined && previous.at + previous.size === block.at) {
      previous.size += block.size;
      this.free.splice(index, 1);
    }
  }
}

function blockSize(bytes: number): number {
  return Math.max(ALIGNMENT, align(bytes));
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function outOfMemory(size: number, cause?: unknown): PippinError {
  return new PippinError('OUT_OF_MEMORY', `expected ${size} more bytes of WASM memory, got none`, { cause });
}
