import { the } from '../field/field';
import { BATCH, DOUBLING, FLAGS, NEGATIVE, NOTE_SIZE, SETTLED } from './pair-tree';
import { Weierstrass } from '../curve/weierstrass';
import { EXTENDED } from '../generated/scratch';

// Scratch elements, with room for Fq2.
const PRODUCT: usize = memory.data(EXTENDED);
const INVERSE: usize = memory.data(EXTENDED);
const LAMBDA: usize = memory.data(EXTENDED);
const X: usize = memory.data(EXTENDED);
const Y: usize = memory.data(EXTENDED);
const FACTOR: usize = memory.data(EXTENDED);

/**
 * The arithmetic of the pair tree on y^2 = x^3 + a x + b with the elements of F; the class A has a. It does one
 * addition after the other. Points are the group's bases.
 */
@unmanaged
export class AffinePairs<F, A> {
  get pointSize(): usize {
    return the<Weierstrass<F, A>>().baseSize;
  }

  /** Bytes of a point in its prepared form. */
  get preparedSize(): usize {
    return the<Weierstrass<F, A>>().preparedSize;
  }

  /** A point from its prepared form. */
  loadPoint(target: usize, source: usize): void {
    the<Weierstrass<F, A>>().loadBase(target, source);
  }

  /** The base of the group over F that a point is: its own address. */
  base(point: usize): usize {
    return point;
  }

  /** Whether twice the point is infinity. */
  hasOrderTwo(point: usize): bool {
    const f = the<F>();
    return f.isZero(point + f.size);
  }

  /**
   * Bytes of scratch that follow the notes: for each note a denominator, and the product of the denominators before it.
   */
  get scratchSize(): usize {
    return <usize>BATCH * 2 * the<F>().size;
  }

  /** target = negative ? -source : source. */
  copyPoint(target: usize, source: usize, negative: bool): void {
    const f = the<F>();
    f.copy(target, source);
    if (negative) f.neg(target + f.size, source + f.size);
    else f.copy(target + f.size, source + f.size);
  }

  /** The factor of `multiplyTwo`, in packed form. */
  setFactor(packed: usize): void {
    the<F>().loadPacked(FACTOR, packed);
  }

  /**
   * Two points with x multiplied by the factor: the result for `first` goes to `target`, that for `second` follows it.
   */
  multiplyTwo(target: usize, first: usize, second: usize): void {
    const f = the<F>();
    f.mul(target, first, FACTOR);
    f.copy(target + f.size, first + f.size);
    f.mul(target + 2 * f.size, second, FACTOR);
    f.copy(target + 3 * f.size, second + f.size);
  }

  addSlot(running: usize, slot: usize): void {
    the<Weierstrass<F, A>>().addBase(running, running, slot, false);
  }

  addSums(total: usize, running: usize): void {
    the<Weierstrass<F, A>>().add(total, total, running);
  }

  add(notes: usize, count: i32): void {
    const f = the<F>();
    const n = f.size;
    const denominators = notes + <usize>BATCH * NOTE_SIZE;
    f.setOne(PRODUCT);
    for (let k: i32 = 0; k < count; k++) {
      const denominator = denominators + <usize>k * 2 * n;
      if (!this.prepare(notes + <usize>k * NOTE_SIZE, denominator)) continue;
      f.copy(denominator + n, PRODUCT);
      f.mul(PRODUCT, PRODUCT, denominator);
    }
    f.copy(X, PRODUCT);
    f.invert(PRODUCT, X);
    for (let k = count - 1; k >= 0; k--) {
      const note = notes + <usize>k * NOTE_SIZE;
      if (load<u32>(note, 8) & SETTLED) continue;
      const denominator = denominators + <usize>k * 2 * n;
      f.mul(INVERSE, PRODUCT, denominator + n);
      f.mul(PRODUCT, PRODUCT, denominator);
      this.finish(note);
    }
  }

  /**
   * The denominator of an addition: x2 - x1, or 2 y1 if the points are equal. If they are opposite, the sum is final at
   * once: false.
   */
  private prepare(note: usize, denominator: usize): bool {
    const f = the<F>();
    const n = f.size;
    const first = load<u32>(note, 4);
    const second = load<u32>(note, 8);
    const x1 = <usize>(first & ~FLAGS);
    const x2 = <usize>(second & ~FLAGS);
    f.sub(denominator, x2, x1);
    if (!f.isZero(denominator)) return true;
    const opposite = f.equals(x2 + n, x1 + n) == (((first ^ second) & NEGATIVE) != 0);
    store<u32>(note, second | (opposite ? SETTLED : DOUBLING), 8);
    if (opposite) memory.fill(<usize>load<u32>(note), 0, 2 * n);
    else f.dbl(denominator, x1 + n);
    return !opposite;
  }

  /**
   * Adds the operands, with the inverse of the denominator in INVERSE. If their signs differ, the slope is (y2 + y1) /
   * (x2 - x1) up to its sign (`isTurned`). If the first is negative, the sum of both opposites is computed, and its
   * sign is changed. Signs are random, so the operands of differences are selected: branches would often be
   * mispredicted.
   */
  private finish(note: usize): void {
    const f = the<F>();
    const n = f.size;
    const target = <usize>load<u32>(note);
    const first = load<u32>(note, 4);
    const second = load<u32>(note, 8);
    const x1 = <usize>(first & ~FLAGS);
    const x2 = <usize>(second & ~FLAGS);
    const isNegative: bool = (first & NEGATIVE) != 0;
    let isTurned: bool = false;
    if (second & DOUBLING) {
      f.sqr(X, x1);
      f.dbl(Y, X);
      f.add(Y, Y, X);
      if (!the<A>().isZero) f.add(Y, Y, the<A>().value);
    } else {
      isTurned = ((first ^ second) & NEGATIVE) != 0;
      if (isTurned) f.add(Y, x2 + n, x1 + n);
      else f.sub(Y, x2 + n, x1 + n);
    }
    f.mul(LAMBDA, Y, INVERSE);
    f.sqr(X, LAMBDA);
    f.sub2(X, X, x1, x2);
    f.sub(Y, select<usize>(X, x1, isTurned), select<usize>(x1, X, isTurned));
    f.mul(Y, Y, LAMBDA);
    f.sub(target + n, select<usize>(x1 + n, Y, isNegative), select<usize>(Y, x1 + n, isNegative));
    f.copy(target, X);
  }
}
