import type { Slice } from './byte-lane.js';

/** Reads from the window of a `ByteLane` into `target`. */
export type ReadWindow = (at: number, target: Uint8Array) => Promise<void>;

/** Bytes that come from another process slice by slice (`ByteLane`). */
export class ArrivingBytes {
  /** The lengths of the slices that have come, by where they begin, as far as slices before them are missing. */
  private readonly slices = new Map<number, number>();
  /** So many bytes from the first on are there. */
  private complete = 0;
  private failure: unknown;
  private readonly waiting = new Set<{ readonly count: number; resolve(): void; reject(error: unknown): void }>();

  /** @param bytes where they are put. */
  constructor(readonly bytes: Uint8Array) {}

  /** Whether all have come. */
  get isComplete(): boolean {
    return this.complete === this.bytes.length;
  }

  /** Takes a slice. */
  async take({ at, length, from }: Slice, readWindow: ReadWindow): Promise<void> {
    if ('bytes' in from) this.bytes.set(from.bytes, at);
    else await readWindow(from.window, this.bytes.subarray(at, at + length));
    this.slices.set(at, length);
    for (let next = this.slices.get(this.complete); next !== undefined; next = this.slices.get(this.complete)) {
      this.slices.delete(this.complete);
      this.complete += next;
    }
    for (const wait of this.waiting) {
      if (wait.count > this.complete) continue;
      this.waiting.delete(wait);
      wait.resolve();
    }
  }

  /** Fulfilled when the first `count` bytes are there; rejects when the rest will not come. */
  until(count: number): Promise<void> {
    if (this.complete >= count) return Promise.resolve();
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.add({ count, resolve, reject }));
  }

  /** Says that the rest will not come. */
  fail(error: unknown): void {
    this.failure ??= error;
    for (const { reject } of this.waiting) reject(error);
    this.waiting.clear();
  }
}
