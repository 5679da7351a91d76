import { the } from '../field/field';
import { EXTENDED_LANES } from '../generated/scratch';
import { LaneInverses } from '../msm/lane-inverses';
import { laneMask } from '../msm/lane-pairs';
import { OPPOSITE, rowOf } from './selectors';

/** Pairs of points that do one step before any of them does the next, so that their multiplications overlap. */
const BLOCK: i32 = 8;

// Scratch elements in lanes, with room for Fq2.
const XS: usize = memory.data(BLOCK * EXTENDED_LANES, 16);
const US: usize = memory.data(BLOCK * EXTENDED_LANES, 16);
const T: usize = memory.data(EXTENDED_LANES, 16);
const FACTOR: usize = memory.data(EXTENDED_LANES, 16);
/** All bits 0, which is 0 in either form of lanes. */
const ZERO: usize = memory.data(EXTENDED_LANES, 16);

/**
 * Rows of finite points on y^2 = x^3 + b, affine, that all take the same steps: each step of a row shares one
 * inversion. Points lie two by two in lanes of L, first x and then y, both reduced; an odd number has its last point in
 * both lanes. F has the same elements one at a time.
 *
 * Elements keep the bounds of LanePairs: a slope is a product, or reduced where it is the sum of two.
 */
@unmanaged
export class LaneRows<L, F> {
  /** Bytes of a row. */
  size(count: i32): usize {
    return <usize>pairsOf(count) * 2 * the<L>().size;
  }

  /** Bytes of scratch for a step: the records of the inversion, and for `addTwice` a slope and x for each pair. */
  scratchSize(count: i32): usize {
    return the<LaneInverses<L, F>>().size(pairsOf(count)) + this.size(count);
  }

  /** From the prepared form. */
  load(source: usize, count: i32, row: usize): void {
    const lanes = the<L>();
    const bytes = the<F>().packedSize;
    for (let k: i32 = 0; k < pairsOf(count); k++) {
      const first = source + <usize>(2 * k) * 2 * bytes;
      const second = 2 * k + 1 < count ? first + 2 * bytes : first;
      const point = row + <usize>k * 2 * lanes.size;
      lanes.loadPacked(point, first, second);
      lanes.loadPacked(point + lanes.size, first + bytes, second + bytes);
    }
  }

  /** To the prepared form. */
  store(row: usize, count: i32, target: usize): void {
    const lanes = the<L>();
    const bytes = the<F>().packedSize;
    for (let k: i32 = 0; k < pairsOf(count); k++) {
      const first = target + <usize>(2 * k) * 2 * bytes;
      const second = 2 * k + 1 < count ? first + 2 * bytes : first;
      const point = row + <usize>k * 2 * lanes.size;
      lanes.storePacked(first, second, point);
      lanes.storePacked(first + bytes, second + bytes, point + lanes.size);
    }
  }

  /** target = negative ? -row : row. */
  copy(row: usize, negative: bool, count: i32, target: usize): void {
    const lanes = the<L>();
    const n = lanes.size;
    memory.copy(target, row, this.size(count));
    if (!negative) return;
    for (let k: i32 = 0; k < pairsOf(count); k++) {
      const y = target + <usize>k * 2 * n + n;
      lanes.sub(y, ZERO, y);
    }
  }

  /**
   * Each point from the row that its selector names: a byte with the number of the row, whose address is u32 number
   * that at `rows`, and in bit 7 whether its opposite is meant.
   */
  select(rows: usize, selectors: usize, count: i32, target: usize): void {
    const lanes = the<L>();
    const n = lanes.size;
    for (let k: i32 = 0; k < pairsOf(count); k++) {
      const at = <usize>k * 2 * n;
      const first = load<u8>(selectors + 2 * k);
      const second = 2 * k + 1 < count ? load<u8>(selectors + 2 * k, 1) : first;
      const a = rowOf(rows, first) + at;
      const b = rowOf(rows, second) + at;
      lanes.select(target + at, a, b, laneMask(true, false));
      lanes.select(target + at + n, a + n, b + n, laneMask(true, false));
      lanes.sub(T, ZERO, target + at + n);
      lanes.select(target + at + n, T, target + at + n, laneMask((first & OPPOSITE) != 0, (second & OPPOSITE) != 0));
    }
  }

  /** target = row with each x times a factor in packed form. */
  map(row: usize, factor: usize, count: i32, target: usize): void {
    const lanes = the<L>();
    lanes.loadPacked(FACTOR, factor, factor);
    memory.copy(target, row, this.size(count));
    for (let k: i32 = 0; k < pairsOf(count); k++) {
      const x = target + <usize>k * 2 * lanes.size;
      lanes.mul(x, x, FACTOR);
      lanes.reduce(x, x);
    }
  }

  /** row = 2 row. False if a point has order 2; then nothing has been changed. */
  double(row: usize, count: i32, scratch: usize): bool {
    const lanes = the<L>();
    const inverses = the<LaneInverses<L, F>>();
    const n = lanes.size;
    const step: usize = 2 * n;
    const pairs = pairsOf(count);
    for (let k: i32 = 0; k < pairs; k++) {
      const y = row + <usize>k * step + n;
      lanes.add(scratch + <usize>k * step + n, y, y);
    }
    if (!inverses.invertAll(scratch, pairs)) return false;
    for (let end = pairs; end > 0; end -= BLOCK) {
      const from = max(0, end - BLOCK);
      inverses.take(scratch, from, end);
      for (let k = from; k < end; k++) this.loadTangent(US + <usize>(k - from) * n, row + <usize>k * step);
      for (let k = from; k < end; k++) {
        const slope = scratch + <usize>k * step;
        lanes.mul(slope, US + <usize>(k - from) * n, slope);
      }
      for (let k = from; k < end; k++) {
        const x = row + <usize>k * step;
        this.nextX(k - from, scratch + <usize>k * step, x, x);
        lanes.sub(US + <usize>(k - from) * n, x, XS + <usize>(k - from) * n);
      }
      for (let k = from; k < end; k++) {
        const point = row + <usize>k * step;
        this.storePoint(point, k - from, scratch + <usize>k * step, point + n);
      }
    }
    return true;
  }

  /** target = a + b, or a - b. False if two points have the same x; then nothing has been changed. */
  add(a: usize, b: usize, negative: bool, count: i32, scratch: usize, target: usize): bool {
    const lanes = the<L>();
    const n = lanes.size;
    const step: usize = 2 * n;
    const pairs = pairsOf(count);
    if (!this.invertDifferences(a, b, pairs, scratch)) return false;
    for (let end = pairs; end > 0; end -= BLOCK) {
      const from = max(0, end - BLOCK);
      the<LaneInverses<L, F>>().take(scratch, from, end);
      for (let k = from; k < end; k++) {
        const at = <usize>k * step;
        this.slope(scratch + at, scratch + at, a + at, b + at, negative);
      }
      for (let k = from; k < end; k++) {
        const at = <usize>k * step;
        this.nextX(k - from, scratch + at, a + at, b + at);
        this.distance(US + <usize>(k - from) * n, a + at, XS + <usize>(k - from) * n, negative);
      }
      for (let k = from; k < end; k++) {
        const at = <usize>k * step;
        this.storePoint(target + at, k - from, scratch + at, a + at + n);
      }
    }
    return true;
  }

  /**
   * row = (row + b) + row, or (row - b) + row, without the y of the first sum (Eisentraeger, Lauter, Montgomery, "Fast
   * elliptic curve arithmetic and improved Weil pairing evaluation", CT-RSA 2003). With slopes l and m of both
   * additions m = -l - 2 y / (x' - x), where x' is of the first sum. False if two points that are added have the same
   * x; then nothing has been changed.
   */
  addTwice(row: usize, b: usize, negative: bool, count: i32, scratch: usize): bool {
    const lanes = the<L>();
    const inverses = the<LaneInverses<L, F>>();
    const n = lanes.size;
    const step: usize = 2 * n;
    const pairs = pairsOf(count);
    const firsts = scratch + inverses.size(pairs);
    if (!this.invertDifferences(row, b, pairs, scratch)) return false;
    for (let end = pairs; end > 0; end -= BLOCK) {
      const from = max(0, end - BLOCK);
      inverses.take(scratch, from, end);
      for (let k = from; k < end; k++) {
        const at = <usize>k * step;
        this.slope(firsts + at, scratch + at, row + at, b + at, negative);
      }
      for (let k = from; k < end; k++) {
        const at = <usize>k * step;
        const x = firsts + at + n;
        lanes.sqr(x, firsts + at);
        lanes.sub2(x, x, row + at, b + at);
        lanes.sub(scratch + at + n, x, row + at);
      }
    }
    if (!inverses.invertAll(scratch, pairs)) return false;
    for (let end = pairs; end > 0; end -= BLOCK) {
      const from = max(0, end - BLOCK);
      inverses.take(scratch, from, end);
      for (let k = from; k < end; k++) {
        // -m; or m where the first slope is -l.
        const at = <usize>k * step;
        const slope = scratch + at;
        lanes.add(T, row + at + n, row + at + n);
        lanes.mul(slope, slope, T);
        if (negative) lanes.sub(slope, firsts + at, slope);
        else lanes.add(slope, firsts + at, slope);
        lanes.reduce(slope, slope);
      }
      for (let k = from; k < end; k++) {
        const at = <usize>k * step;
        this.nextX(k - from, scratch + at, firsts + at + n, row + at);
        this.distance(US + <usize>(k - from) * n, row + at, XS + <usize>(k - from) * n, !negative);
      }
      for (let k = from; k < end; k++) {
        const at = <usize>k * step;
        this.storePoint(row + at, k - from, scratch + at, row + at + n);
      }
    }
    return true;
  }

  /** Begins an addition: the inverses of x_b - x_a. */
  private invertDifferences(a: usize, b: usize, pairs: i32, scratch: usize): bool {
    const lanes = the<L>();
    const n = lanes.size;
    for (let k: i32 = 0; k < pairs; k++) {
      const at = <usize>k * 2 * n;
      lanes.sub(scratch + at + n, b + at, a + at);
    }
    return the<LaneInverses<L, F>>().invertAll(scratch, pairs);
  }

  /** r = (y_b - y_a) / (x_b - x_a); for the opposite of b the opposite of the slope, (y_b + y_a) / (x_b - x_a). */
  // @ts-ignore: decorator
  @inline
  private slope(r: usize, inverse: usize, a: usize, b: usize, negative: bool): void {
    const lanes = the<L>();
    const n = lanes.size;
    if (negative) lanes.add(T, b + n, a + n);
    else lanes.sub(T, b + n, a + n);
    lanes.mul(r, inverse, T);
  }

  /** r = 3 x^2. Reduced twice, because the triple of a product may exceed what one reduction takes. */
  private loadTangent(r: usize, x: usize): void {
    const lanes = the<L>();
    lanes.sqr(r, x);
    lanes.reduce(r, r);
    lanes.add(T, r, r);
    lanes.add(r, T, r);
    lanes.reduce(r, r);
  }

  /** x of a sum, to place i of XS. */
  // @ts-ignore: decorator
  @inline
  private nextX(i: i32, slope: usize, x1: usize, x2: usize): void {
    const lanes = the<L>();
    const x = XS + <usize>i * lanes.size;
    lanes.sqr(x, slope);
    lanes.sub2(x, x, x1, x2);
  }

  /** What the slope is multiplied by: x - x', or the opposite for an opposite slope. */
  // @ts-ignore: decorator
  @inline
  private distance(r: usize, x: usize, next: usize, isOpposite: bool): void {
    const lanes = the<L>();
    if (isOpposite) lanes.sub(r, next, x);
    else lanes.sub(r, x, next);
  }

  /** The sum with place i of XS as x, and the slope times place i of US less an operand's y as y. */
  // @ts-ignore: decorator
  @inline
  private storePoint(target: usize, i: i32, slope: usize, y: usize): void {
    const lanes = the<L>();
    const n = lanes.size;
    lanes.mul(T, US + <usize>i * n, slope);
    lanes.sub(T, T, y);
    lanes.reduce(target + n, T);
    lanes.copy(target, XS + <usize>i * n);
  }
}

/** Pairs of points in lanes. */
// @ts-ignore: decorator
@inline
function pairsOf(count: i32): i32 {
  return (count + 1) >> 1;
}
