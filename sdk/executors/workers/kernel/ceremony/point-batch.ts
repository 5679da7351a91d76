import { PippinError } from '../../../../base/errors.js';
import type { GroupExports } from '../exports.js';
import type { WholeInstance } from '../kernel-instance.js';
import { loadPrepared } from '../load-prepared.js';

/** Points that share the inversions: BATCH in wasm/msm/pair-tree.ts. */
export const BATCH = 1024;
/** Odd multiples of a point with a row of the table: P, 3 P, .. 15 P. */
export const ROWS = 8;
/** A reference to a point is its address divided by 8, with its sign in the highest bit. */
export const SIGN = 0x80000000;

/** Rows of up to `BATCH` points each, in affine coordinates, and the steps that all points take together. */
export class PointBatch {
  /** Odd multiples of the points, then of their images under the endomorphism. */
  protected readonly rows: number[];
  protected readonly sums: number;
  protected readonly doubles: number;
  private readonly entries: number;
  private readonly offsets: number;
  private readonly cursor: number;
  private readonly scratch: number;
  private readonly packed: number;

  /**
   * @param halves 2 where scalars are split by the endomorphism, otherwise 1.
   */
  constructor(
    protected readonly instance: WholeInstance,
    protected readonly group: GroupExports,
    allocate: (bytes: number) => number,
    halves: number,
  ) {
    const row = BATCH * group.baseSize();
    this.rows = Array.from({ length: ROWS * halves }, () => allocate(row));
    this.sums = allocate(row);
    this.doubles = allocate(row);
    this.entries = allocate(2 * 4 * BATCH);
    this.offsets = allocate(8);
    this.cursor = allocate(8);
    this.scratch = allocate(group.pairScratchSize());
    // A packed point is no longer than a base.
    this.packed = allocate(row);
  }

  /** Loads prepared points into a row. */
  protected load(points: Uint8Array, packedBytes: number, target: number): void {
    const load = { points, bytes: packedBytes, packed: this.packed, target };
    loadPrepared(this.instance.memory, this.group, load);
  }

  /** Points as they are prepared: a view, valid until the memory is used again. */
  protected store(points: number, count: number, packedBytes: number): Uint8Array {
    if (this.group.storeMultiples(points, count, this.packed, 0) === 0) throw outsideSubgroup();
    return this.instance.memory.view(this.packed, count * packedBytes);
  }

  /** The other odd multiples of the points in a row, in the rows behind it. */
  protected makeMultiples(first: number, count: number): void {
    const { rows, doubles } = this;
    this.instance.memory.copy(doubles, rows[first]!, count * this.group.baseSize());
    this.double(doubles, count);
    for (let i = first + 1; i < first + ROWS; i++) {
      this.add(rows[i]!, rows[i - 1]!, { row: doubles, isNegative: false }, count);
    }
  }

  /** What the endomorphism of G1 makes of all multiples. */
  protected mapMultiples(count: number): void {
    const { rows } = this;
    const { memory, endomorphism } = this.instance;
    for (let i = 0; i < ROWS; i++) {
      memory.copy(rows[ROWS + i]!, rows[i]!, count * this.group.baseSize());
      // Points are mapped two by two. BATCH is even, so that there is room for one more.
      endomorphism!.g1_mapPoints(rows[ROWS + i]!, 0, count + (count & 1));
    }
  }

  protected double(points: number, count: number): void {
    if (this.group.doublePoints(points, count, this.scratch) === 0) throw outsideSubgroup();
  }

  /** target_i = a_i + b_i, or a_i - b_i. */
  protected add(
    target: number,
    a: number,
    { row: b, isNegative }: { readonly row: number; readonly isNegative: boolean },
    count: number,
  ): void {
    const size = this.group.baseSize() / 8;
    const sign = isNegative ? SIGN : 0;
    this.addPairs(target, 2 * count, (entries) => {
      for (let i = 0, first = a / 8, second = b / 8; i < 2 * count; i += 2, first += size, second += size) {
        entries[i] = first;
        entries[i + 1] = second + sign;
      }
    });
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

export function outsideSubgroup(what = 'points'): PippinError {
  return new PippinError('INVALID_POINT', `expected ${what} of the subgroup of prime order, got another one`);
}
