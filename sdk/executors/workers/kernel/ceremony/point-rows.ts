import { PippinError } from '../../../../base/errors.js';
import type { GroupId } from '../../../../curves/index.js';
import type { RowGroupExports } from '../generated/row-exports.js';
import type { Allocate } from '../memory.js';
import type { RowKernel } from './row-kernel.js';

/** Points of a row, which share the inversions of a step. */
export const BATCH = 1024;
/** Odd multiples of a point with a row of the table: P, 3 P, .. 15 P. */
export const ROWS = 8;
/** In a selector: the opposite of a point is meant (wasm/rows/selectors.ts). */
export const OPPOSITE = 0x80;

/** A row, or its negation. */
export interface Addend {
  readonly row: number;
  readonly isNegative: boolean;
}

/**
 * Rows of up to `BATCH` points each, and the steps that all points take together. The sums never meet a case that the
 * formulas leave out, equal or opposite points: a sum is worth more digits than what is added to it, and points are of
 * the subgroup of prime order. `INVALID_POINT` where one is not, and meets such a case.
 */
export class PointRows {
  /** Odd multiples of the points, then of their images under the endomorphism. */
  readonly rows: readonly number[];
  readonly sums: number;
  /** For what is added next. */
  readonly addends: readonly [number, number];
  private readonly group: RowGroupExports;
  private readonly scratch: number;
  private readonly packed: number;
  private readonly addresses: number;
  private readonly selectors: number;

  /**
   * @param allocate of the kernel's memory.
   * @param packedBytes of a prepared point.
   * @param halves 2 where scalars are split by the endomorphism, otherwise 1.
   */
  constructor(
    private readonly kernel: RowKernel,
    id: GroupId,
    allocate: Allocate,
    private readonly packedBytes: number,
    halves: number,
  ) {
    const group = kernel.groups[id];
    this.group = group;
    const row = group.rowBytes(BATCH);
    this.rows = Array.from({ length: ROWS * halves }, () => allocate(row));
    this.sums = allocate(row);
    this.addends = [allocate(row), allocate(row)];
    this.scratch = allocate(group.rowScratchBytes(BATCH));
    this.packed = allocate(BATCH * packedBytes);
    this.addresses = allocate(4 * this.rows.length);
    kernel.memory.viewUint32(this.addresses, this.rows.length).set(this.rows);
    this.selectors = allocate(BATCH);
  }

  /** Loads prepared points into a row. */
  load(points: Uint8Array, row: number): void {
    this.kernel.memory.write(this.packed, points);
    this.group.loadRow(this.packed, points.length / this.packedBytes, row);
  }

  /** The points of a row as they are prepared: a view, valid until the memory is used again. */
  store(row: number, count: number): Uint8Array {
    this.group.storeRow(row, count, this.packed);
    return this.kernel.memory.view(this.packed, count * this.packedBytes);
  }

  /** The other odd multiples of the points in the table's row `first`, in the rows behind it. */
  makeMultiples(first: number, count: number): void {
    const {
      rows,
      addends: [double],
    } = this;
    this.set(double, { row: rows[first]!, isNegative: false }, count);
    this.double(double, count);
    for (let i = first + 1; i < first + ROWS; i++) {
      this.add(rows[i]!, rows[i - 1]!, { row: double, isNegative: false }, count);
    }
  }

  /** What the endomorphism of G1 makes of all multiples. */
  mapMultiples(count: number): void {
    const { rows } = this;
    for (let i = 0; i < ROWS; i++) this.kernel.mapRow(rows[i]!, count, rows[ROWS + i]!);
  }

  set(target: number, { row, isNegative }: Addend, count: number): void {
    this.group.copyRow(row, Number(isNegative), count, target);
  }

  /**
   * For each point what a byte names of the table: the number of a row, and `OPPOSITE` for the opposite. `write` writes
   * these bytes.
   */
  select(target: number, count: number, write: (selectors: Uint8Array) => void): void {
    write(this.kernel.memory.view(this.selectors, count));
    this.group.selectRow(this.addresses, this.selectors, count, target);
  }

  double(row: number, count: number): void {
    expectDone(this.group.doubleRow(row, count, this.scratch));
  }

  add(target: number, a: number, { row, isNegative }: Addend, count: number): void {
    expectDone(this.group.addRows(a, row, Number(isNegative), count, this.scratch, target));
  }

  /** row = 2 row + addend, as (row + addend) + row: that takes less than a doubling and an addition. */
  doubleAndAdd(row: number, { row: addend, isNegative }: Addend, count: number): void {
    expectDone(this.group.addTwice(row, addend, Number(isNegative), count, this.scratch));
  }
}

function expectDone(done: number): void {
  if (done === 0) throw outsideSubgroup();
}

export function outsideSubgroup(what = 'points'): PippinError {
  return new PippinError('INVALID_POINT', `expected ${what} of the subgroup of prime order, got another one`);
}
