import { the } from '../field/field';
import { EXTENDED } from '../generated/scratch';
import { OPPOSITE, rowOf } from './selectors';

// Scratch elements, with room for Fq2.
const PRODUCT: usize = memory.data(EXTENDED);
const INVERSE: usize = memory.data(EXTENDED);
const SLOPE: usize = memory.data(EXTENDED);
const FACTOR: usize = memory.data(EXTENDED);
const X: usize = memory.data(EXTENDED);
const Y: usize = memory.data(EXTENDED);

/**
 * What LaneRows does, one point after the other, for machines without lanes: rows of finite points on y^2 = x^3 + b
 * with elements of F, first x and then y. A point's record in the scratch has two elements: its denominator, and the
 * product of those before it.
 */
@unmanaged
export class AffineRows<F> {
  /** Bytes of a row. */
  size(count: i32): usize {
    return <usize>count * 2 * the<F>().size;
  }

  /** Bytes of scratch for a step: the records, and for `addTwice` a slope and x for each point. */
  scratchSize(count: i32): usize {
    return 2 * this.size(count);
  }

  /** From the prepared form. */
  load(source: usize, count: i32, row: usize): void {
    const f = the<F>();
    for (let k: i32 = 0; k < 2 * count; k++) f.loadPacked(row + <usize>k * f.size, source + <usize>k * f.packedSize);
  }

  /** To the prepared form. */
  store(row: usize, count: i32, target: usize): void {
    const f = the<F>();
    for (let k: i32 = 0; k < 2 * count; k++) f.storePacked(target + <usize>k * f.packedSize, row + <usize>k * f.size);
  }

  /** target = negative ? -row : row. */
  copy(row: usize, negative: bool, count: i32, target: usize): void {
    const f = the<F>();
    memory.copy(target, row, this.size(count));
    if (!negative) return;
    for (let k: i32 = 0; k < count; k++) {
      const y = target + <usize>(2 * k + 1) * f.size;
      f.neg(y, y);
    }
  }

  /** Each point from the row that its selector names, as LaneRows has it. */
  select(rows: usize, selectors: usize, count: i32, target: usize): void {
    const f = the<F>();
    for (let k: i32 = 0; k < count; k++) {
      const at = <usize>k * 2 * f.size;
      const selector = load<u8>(selectors + k);
      memory.copy(target + at, rowOf(rows, selector) + at, 2 * f.size);
      if (selector & OPPOSITE) f.neg(target + at + f.size, target + at + f.size);
    }
  }

  /** target = row with each x times a factor in packed form. */
  map(row: usize, factor: usize, count: i32, target: usize): void {
    const f = the<F>();
    f.loadPacked(FACTOR, factor);
    memory.copy(target, row, this.size(count));
    for (let k: i32 = 0; k < count; k++) {
      const x = target + <usize>(2 * k) * f.size;
      f.mul(x, x, FACTOR);
    }
  }

  /** row = 2 row. False if a point has order 2; then nothing has been changed. */
  double(row: usize, count: i32, scratch: usize): bool {
    const f = the<F>();
    const n = f.size;
    for (let k: i32 = 0; k < count; k++) {
      const at = <usize>k * 2 * n;
      f.dbl(scratch + at, row + at + n);
    }
    if (!this.invert(scratch, count)) return false;
    for (let k = count - 1; k >= 0; k--) {
      const point = row + <usize>k * 2 * n;
      this.take(scratch, k);
      f.sqr(X, point);
      f.dbl(Y, X);
      f.add(Y, Y, X);
      f.mul(SLOPE, Y, INVERSE);
      this.storeSum(point, point, point);
    }
    return true;
  }

  /** target = a + b, or a - b. False if two points have the same x; then nothing has been changed. */
  add(a: usize, b: usize, negative: bool, count: i32, scratch: usize, target: usize): bool {
    const n = the<F>().size;
    if (!this.invertDifferences(a, b, count, scratch)) return false;
    for (let k = count - 1; k >= 0; k--) {
      const at = <usize>k * 2 * n;
      this.take(scratch, k);
      this.slope(a + at, b + at, negative);
      this.storeSum(target + at, a + at, b + at);
    }
    return true;
  }

  /**
   * row = (row + b) + row, or (row - b) + row, as LaneRows has it. False if two points that are added have the same x;
   * then nothing has been changed.
   */
  addTwice(row: usize, b: usize, negative: bool, count: i32, scratch: usize): bool {
    const f = the<F>();
    const n = f.size;
    const firsts = scratch + this.size(count);
    if (!this.invertDifferences(row, b, count, scratch)) return false;
    for (let k = count - 1; k >= 0; k--) {
      const at = <usize>k * 2 * n;
      this.take(scratch, k);
      this.slope(row + at, b + at, negative);
      f.copy(firsts + at, SLOPE);
      f.sqr(X, SLOPE);
      f.sub2(firsts + at + n, X, row + at, b + at);
      f.sub(scratch + at, firsts + at + n, row + at);
    }
    if (!this.invert(scratch, count)) return false;
    for (let k = count - 1; k >= 0; k--) {
      const at = <usize>k * 2 * n;
      this.take(scratch, k);
      f.dbl(Y, row + at + n);
      f.mul(SLOPE, Y, INVERSE);
      f.add(SLOPE, SLOPE, firsts + at);
      f.neg(SLOPE, SLOPE);
      this.storeSum(row + at, row + at, firsts + at + n);
    }
    return true;
  }

  /** Begins an addition: the inverses of x_b - x_a. */
  private invertDifferences(a: usize, b: usize, count: i32, scratch: usize): bool {
    const f = the<F>();
    for (let k: i32 = 0; k < count; k++) {
      const at = <usize>k * 2 * f.size;
      f.sub(scratch + at, b + at, a + at);
    }
    return this.invert(scratch, count);
  }

  /** PRODUCT becomes the inverse of all denominators' product. False if one of them is 0. */
  private invert(scratch: usize, count: i32): bool {
    const f = the<F>();
    f.setOne(PRODUCT);
    for (let k: i32 = 0; k < count; k++) {
      const denominator = scratch + <usize>k * 2 * f.size;
      f.copy(denominator + f.size, PRODUCT);
      f.mul(PRODUCT, PRODUCT, denominator);
    }
    if (f.isZero(PRODUCT)) return false;
    f.copy(X, PRODUCT);
    f.invert(PRODUCT, X);
    return true;
  }

  /** INVERSE becomes the inverse of denominator k, the last that is left. */
  private take(scratch: usize, k: i32): void {
    const f = the<F>();
    const denominator = scratch + <usize>k * 2 * f.size;
    f.mul(INVERSE, PRODUCT, denominator + f.size);
    f.mul(PRODUCT, PRODUCT, denominator);
  }

  /** SLOPE = (y_b - y_a) / (x_b - x_a), with -y_b for the opposite of b. */
  private slope(a: usize, b: usize, negative: bool): void {
    const f = the<F>();
    if (negative) {
      f.add(Y, b + f.size, a + f.size);
      f.neg(Y, Y);
    } else f.sub(Y, b + f.size, a + f.size);
    f.mul(SLOPE, Y, INVERSE);
  }

  /** The sum of a point and of one with x2, by their SLOPE. */
  private storeSum(target: usize, point: usize, x2: usize): void {
    const f = the<F>();
    f.sqr(X, SLOPE);
    f.sub2(X, X, point, x2);
    f.sub(Y, point, X);
    f.mul(Y, Y, SLOPE);
    f.sub(target + f.size, Y, point + f.size);
    f.copy(target, X);
  }
}
