import { the } from '../field/field';
import { BATCH, DOUBLING, FLAGS, NEGATIVE, NOTE_SIZE, SETTLED } from './pair-tree';
import { LaneInverses } from './lane-inverses';
import { Weierstrass } from '../curve/weierstrass';
import { EXTENDED, EXTENDED_LANES, EXTENDED_PACKED } from '../generated/scratch';

/** Pairs of additions that do one step before any of them does the next, so that their multiplications overlap, too. */
const BLOCK: i32 = 16;

// Scratch elements in lanes, with room for Fq2.
const XS: usize = memory.data(BLOCK * EXTENDED_LANES, 16);
const YS: usize = memory.data(BLOCK * EXTENDED_LANES, 16);
const X1: usize = memory.data(EXTENDED_LANES, 16);
const Y1: usize = memory.data(EXTENDED_LANES, 16);
const X2: usize = memory.data(EXTENDED_LANES, 16);
const Y2: usize = memory.data(EXTENDED_LANES, 16);
const ONE: usize = memory.data(EXTENDED_LANES, 16);
const T: usize = memory.data(EXTENDED_LANES, 16);
const FACTOR: usize = memory.data(EXTENDED_LANES, 16);
const PACKED: usize = memory.data(2 * EXTENDED_PACKED);
// A scratch base.
const BASE: usize = memory.data(2 * EXTENDED);

/**
 * The arithmetic of the pair tree on y^2 = x^3 + a x + b, two additions at a time; the class A has a. Additions in
 * pairs compute with elements of L in lanes, inversions and XYZZ sums with elements of F.
 *
 * A point is x, y: each is a single element of L (one lane), reduced. With |x|, |y| < 0.51 p denominators stay below
 * 1.02 p. No sum that goes to `reduce` or `sub2` exceeds what these accept: the generator checks that for each field
 * (scripts/generate/wasm/lane-bounds.ts).
 */
@unmanaged
export class LanePairs<L, F, A> {
  get pointSize(): usize {
    return 2 * the<L>().elementSize;
  }

  /** Bytes of a point in its prepared form. */
  get preparedSize(): usize {
    return 2 * the<F>().packedSize;
  }

  /**
   * Bytes of scratch that follow the notes: for every two notes a record of `LaneInverses`.
   */
  get scratchSize(): usize {
    return the<LaneInverses<L, F>>().size(BATCH / 2);
  }

  /** A point from its prepared form. */
  loadPoint(target: usize, source: usize): void {
    const lanes = the<L>();
    lanes.loadPacked(X1, source, source + the<F>().packedSize);
    lanes.storeFirst(target, X1);
    lanes.storeSecond(target + lanes.elementSize, X1);
  }

  /** Converts a point to a base of the group over F. Returns its address, which is the same for all points. */
  base(point: usize): usize {
    const lanes = the<L>();
    lanes.load(X1, point, point + lanes.elementSize);
    lanes.storePacked(PACKED, PACKED + the<F>().packedSize, X1);
    the<Weierstrass<F, A>>().loadBase(BASE, PACKED);
    return BASE;
  }

  /** Whether twice the point is infinity: its y is 0, which has only limbs 0 or -0 because y is reduced. */
  hasOrderTwo(point: usize): bool {
    const n = the<L>().elementSize;
    let bits: u64 = 0;
    for (let i = n; i < 2 * n; i += 8) bits |= load<u64>(point + i) << 1;
    return bits == 0;
  }

  /** target = negative ? -source : source. */
  copyPoint(target: usize, source: usize, negative: bool): void {
    const y = the<L>().elementSize;
    memory.copy(target, source, y);
    the<L>().copySigned(target + y, source + y, negative);
  }

  /** The factor of `multiplyTwo`, in packed form. */
  setFactor(packed: usize): void {
    the<L>().loadPacked(FACTOR, packed, packed);
  }

  /**
   * Two points with x multiplied by the factor: the result for `first` goes to `target`, that for `second` follows it.
   */
  multiplyTwo(target: usize, first: usize, second: usize): void {
    const lanes = the<L>();
    const y = lanes.elementSize;
    lanes.load(X1, first, second);
    lanes.mul(X1, X1, FACTOR);
    lanes.reduce(X1, X1);
    lanes.load(Y1, first + y, second + y);
    lanes.storeFirst(target, X1);
    lanes.storeFirst(target + y, Y1);
    lanes.storeSecond(target + 2 * y, X1);
    lanes.storeSecond(target + 3 * y, Y1);
  }

  addSlot(running: usize, slot: usize): void {
    the<Weierstrass<F, A>>().addBase(running, running, this.base(slot), false);
  }

  addSums(total: usize, running: usize): void {
    the<Weierstrass<F, A>>().add(total, total, running);
  }

  add(notes: usize, count: i32): void {
    const lanes = the<L>();
    const n = lanes.size;
    // If the number of additions is odd, the last one is put into both lanes, and the result of the second lane is not
    // stored.
    if (count & 1) {
      const last = notes + <usize>(count - 1) * NOTE_SIZE;
      memory.copy(last + NOTE_SIZE, last, NOTE_SIZE);
      store<u32>(last + NOTE_SIZE, load<u32>(last, 8) | SETTLED, 8);
    }
    const inverses = the<LaneInverses<L, F>>();
    const pairs = (count + 1) >> 1;
    const step = inverses.recordSize;
    const records = notes + <usize>BATCH * NOTE_SIZE;
    lanes.setOne(ONE);
    inverses.begin(records);
    for (let k: i32 = 0; k < pairs; k++) {
      const record = records + <usize>k * step;
      this.prepare(notes + <usize>k * 2 * NOTE_SIZE, record + n);
      inverses.include(record);
    }
    inverses.invert(records, pairs);
    for (let end = pairs; end > 0; end -= BLOCK) {
      const from = max(0, end - BLOCK);
      inverses.take(records, from, end);
      this.finish(notes + <usize>from * 2 * NOTE_SIZE, records + <usize>from * step, end - from);
    }
  }

  /** The denominators of two additions: x2 - x1, or 2 y1 if the points are equal, such as where their note says so. */
  private prepare(note: usize, denominators: usize): void {
    const lanes = the<L>();
    if (load<u32>(note, 8) & DOUBLING) {
      this.loadY(note);
      lanes.add(denominators, Y1, Y2);
      return;
    }
    this.loadX(note);
    lanes.sub(denominators, X2, X1);
    const equal = lanes.multiples(denominators);
    if (equal != 0) this.prepareEqual(note, denominators, equal);
  }

  /**
   * Handles the lanes in which both x are equal; `equal` has a bit for each of them. Equal points are to be doubled.
   * The sum of opposite points is final at once, and their lane goes on with 1 as its denominator.
   */
  private prepareEqual(note: usize, denominators: usize, equal: i32): void {
    const lanes = the<L>();
    const y = lanes.elementSize;
    this.loadY(note);
    lanes.sub(T, Y2, Y1);
    const same = lanes.multiples(T);
    lanes.add(T, Y1, Y1);
    for (let lane = 0; lane < 2; lane++) {
      if (((equal >> lane) & 1) == 0) continue;
      const at = note + <usize>lane * NOTE_SIZE;
      const doubling = ((same >> lane) & 1) != 0;
      if (!doubling) memory.fill(<usize>load<u32>(at), 0, 2 * y);
      store<u32>(at, load<u32>(at, 8) | (doubling ? DOUBLING : SETTLED), 8);
      lanes.select(denominators, doubling ? T : ONE, denominators, laneMask(lane == 0, lane == 1));
    }
  }

  /** X1 and X2 of two noted additions. */
  private loadX(note: usize): void {
    const lanes = the<L>();
    const other = note + NOTE_SIZE;
    lanes.load(X1, <usize>(load<u32>(note, 4) & ~FLAGS), <usize>(load<u32>(other, 4) & ~FLAGS));
    lanes.load(X2, <usize>(load<u32>(note, 8) & ~FLAGS), <usize>(load<u32>(other, 8) & ~FLAGS));
  }

  /** Y1 and Y2 of two noted additions, with their signs. */
  private loadY(note: usize): void {
    this.loadSignedY(Y1, note + 4);
    this.loadSignedY(Y2, note + 8);
  }

  /**
   * The y of an operand of two noted additions, with its sign. `operand` is the address of the first one's operand in
   * its note.
   */
  // @ts-ignore: decorator
  @inline
  private loadSignedY(r: usize, operand: usize): void {
    const lanes = the<L>();
    const y = lanes.elementSize;
    const a = load<u32>(operand);
    const b = load<u32>(operand, NOTE_SIZE);
    const signs = i64x2.shl(laneMask((a & NEGATIVE) != 0, (b & NEGATIVE) != 0), 63);
    lanes.loadSigned(r, <usize>(a & ~FLAGS) + y, <usize>(b & ~FLAGS) + y, signs);
  }

  /**
   * Finishes additions two by two. `inverses` has the inverses of their denominators, 2 size apart; the slopes
   * overwrite them.
   */
  private finish(notes: usize, inverses: usize, pairs: i32): void {
    const lanes = the<L>();
    const n = lanes.size;
    const y = lanes.elementSize;
    for (let k: i32 = 0; k < pairs; k++) {
      const slope = inverses + <usize>k * 2 * n;
      this.loadRise(notes + <usize>k * 2 * NOTE_SIZE);
      lanes.mul(slope, T, slope);
    }
    for (let k: i32 = 0; k < pairs; k++) {
      const note = notes + <usize>k * 2 * NOTE_SIZE;
      const x = XS + <usize>k * n;
      this.loadX(note);
      lanes.sqr(x, inverses + <usize>k * 2 * n);
      lanes.sub2(x, x, X1, X2);
      lanes.sub(YS + <usize>k * n, X1, x);
    }
    for (let k: i32 = 0; k < pairs; k++) {
      const note = notes + <usize>k * 2 * NOTE_SIZE;
      const target1 = <usize>load<u32>(note);
      const target2 = <usize>load<u32>(note, NOTE_SIZE);
      lanes.mul(T, YS + <usize>k * n, inverses + <usize>k * 2 * n);
      this.loadSignedY(Y1, note + 4);
      lanes.sub(T, T, Y1);
      lanes.reduce(T, T);
      if ((load<u32>(note, 8) & SETTLED) == 0) {
        lanes.storeFirst(target1, XS + <usize>k * n);
        lanes.storeFirst(target1 + y, T);
      }
      if ((load<u32>(note, NOTE_SIZE + 8) & SETTLED) == 0) {
        lanes.storeSecond(target2, XS + <usize>k * n);
        lanes.storeSecond(target2 + y, T);
      }
    }
  }

  /** Puts the numerators of two slopes into T: y2 - y1, or 3 x1^2 + a if the points are equal. */
  private loadRise(note: usize): void {
    const lanes = the<L>();
    const a = load<u32>(note, 8);
    const b = load<u32>(note, NOTE_SIZE + 8);
    this.loadY(note);
    lanes.sub(T, Y2, Y1);
    if (((a | b) & DOUBLING) == 0) return;
    this.loadX(note);
    lanes.sqr(X2, X1);
    // Reduced twice, because the triple of a product may exceed what one reduction takes.
    lanes.reduce(X2, X2);
    lanes.add(X1, X2, X2);
    lanes.add(X1, X1, X2);
    if (!the<A>().isZero) {
      lanes.loadPacked(X2, the<A>().packed, the<A>().packed);
      lanes.add(X1, X1, X2);
    }
    lanes.reduce(X1, X1);
    lanes.select(T, X1, T, laneMask((a & DOUBLING) != 0, (b & DOUBLING) != 0));
  }
}

/** A mask with all bits set in the lanes for which the argument is true. */
// @ts-ignore: decorator
@inline
export function laneMask(first: bool, second: bool): v128 {
  return i64x2.replace_lane(i64x2.splat(0 - <i64>first), 1, 0 - <i64>second);
}
