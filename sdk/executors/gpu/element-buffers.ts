/** Consecutive elements that lie in one buffer. */
export interface BufferPart {
  readonly buffer: GPUBuffer;
  /** The number of its first element among all. */
  readonly first: number;
  /** The place of that element in the buffer. */
  readonly from: number;
  readonly count: number;
}

/**
 * Elements of 32 bytes on a GPU: in one buffer, or one after another in several, since a device bounds the bytes of a
 * buffer and of a binding. All buffers but the last have the same number of elements.
 */
export class ElementBuffers {
  private readonly perBuffer: number;

  /** @param perBuffer elements of each buffer but the last. */
  constructor(
    readonly buffers: readonly GPUBuffer[],
    perBuffer = 0,
  ) {
    this.perBuffer = buffers.length > 1 ? perBuffer : Number.POSITIVE_INFINITY;
  }

  /** Bytes of the buffers. */
  get bytes(): number {
    return this.buffers.reduce((sum, { size }) => sum + size, 0);
  }

  /** The elements `first` to `end` - 1, by buffer. */
  *parts(first: number, end: number): Generator<BufferPart, void> {
    for (let at = first; at < end; ) {
      const from = at % this.perBuffer;
      const count = Math.min(end - at, this.perBuffer - from);
      yield { buffer: this.buffers[Math.floor(at / this.perBuffer)]!, first: at, from, count };
      at += count;
    }
  }
}
