import type { GroupExports } from '../exports.js';
import type { WholeInstance } from '../kernel-instance.js';
import { loadPrepared } from '../load-prepared.js';
import type { Allocate } from '../memory.js';
import { BATCH, outsideSubgroup } from './point-rows.js';

/** A reference to a point is its address divided by 8, with its sign in the highest bit. */
export const SIGN = 0x80000000;

/** Sums of up to `BATCH` pairs of finite points, which may be equal or opposite. */
export class PointPairs {
  private readonly entries: number;
  private readonly offsets: number;
  private readonly cursor: number;
  private readonly scratch: number;
  private readonly packed: number;

  constructor(
    protected readonly instance: WholeInstance,
    protected readonly group: GroupExports,
    allocate: Allocate,
    protected readonly packedBytes: number,
  ) {
    this.entries = allocate(2 * 4 * BATCH);
    this.offsets = allocate(8);
    this.cursor = allocate(8);
    this.scratch = allocate(group.pairScratchSize());
    this.packed = allocate(BATCH * packedBytes);
  }

  /** Loads prepared points as bases. */
  protected load(points: Uint8Array, target: number): void {
    const load = { points, bytes: this.packedBytes, packed: this.packed, target };
    loadPrepared(this.instance.memory, this.group, load);
  }

  /** Bases as they are prepared: a view, valid until the memory is used again. */
  protected store(points: number, count: number): Uint8Array {
    if (this.group.storeMultiples(points, count, this.packed, 0) === 0) throw outsideSubgroup();
    return this.instance.memory.view(this.packed, count * this.packedBytes);
  }

  /**
   * Adds pairs of points, whose references `list` writes one after another, to `target` in this order. Of an odd number
   * the last one is copied.
   */
  protected addPairs(target: number, count: number, list: (entries: Uint32Array) => void): void {
    const { memory } = this.instance;
    list(memory.viewUint32(this.entries, count));
    // All pairs are the entries of a single bucket.
    memory.writeUint32(this.offsets, 0);
    memory.writeUint32(this.offsets + 4, count);
    memory.clear(this.cursor, 8);
    while (this.group.addPairs(this.cursor, this.entries, this.offsets, 1, 0, target, this.scratch) !== 0);
  }
}
