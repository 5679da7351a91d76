// Points from x and a sign. The square root of y^2 = x^3 + a x + b comes from one power modulo p for a prime p = 3
// (mod 4), and from two over F_p^2 = F_p[u] / (u^2 + 1), without an inverse (Adj, Rodriguez-Henriquez, "Square root
// computation over even extension fields", 2012/685, section 5, the complex method).

import { the } from '../field/field';
import { ELEMENT, ELEMENT_LANES, EXTENDED, EXTENDED_PACKED } from '../generated/scratch';

/** Points whose powers are computed together: each step for all of them before the next, so that products overlap. */
const BLOCK: i32 = 8;
/** The powers a, a^3, .. a^31 of an element. */
const ODD_POWERS: i32 = 16;
/** What stands for no product in a step of a power. */
const NO_PRODUCT: i32 = 255;

// Powers of elements, or of half as many pairs of elements in lanes, which take less.
const TABLE: usize = memory.data(BLOCK * ODD_POWERS * ELEMENT_LANES, 16);
const POWERS: usize = memory.data(BLOCK * ELEMENT_LANES, 16);
const PACKED: usize = memory.data(EXTENDED_PACKED);

const NORMS: usize = memory.data(BLOCK * ELEMENT);
const RAISED: usize = memory.data(BLOCK * ELEMENT);
const ROOT: usize = memory.data(ELEMENT);
const HALF: usize = memory.data(ELEMENT);
const SCALE: usize = memory.data(ELEMENT);
const X: usize = memory.data(EXTENDED);
const SQUARES: usize = memory.data(BLOCK * EXTENDED);
const YS: usize = memory.data(BLOCK * EXTENDED);
const CHECK: usize = memory.data(EXTENDED);

/** The highest bit of the highest byte of a packed coordinate, which p leaves free. */
const SIGN: u32 = 0x80000000;

/** What square roots are computed with, which does not change between points. */
let steps: usize = 0;
let stepsEnd: usize = 0;

/**
 * Takes what square roots are computed with.
 *
 * @param constants R mod p, and (p + 1) / 2, canonical, then the number of steps (u32) that give the power with the
 * exponent (p - 3) / 4, and the steps: a number of squares and an odd power that is multiplied afterwards, by its place
 * in the table, or `NO_PRODUCT`; a byte each. The first step has no squares.
 */
export function setRootConstants<F>(constants: usize): void {
  const f = the<F>();
  f.loadCanonical(SCALE, constants);
  f.loadCanonical(HALF, constants + f.packedSize);
  const count = <usize>load<u32>(constants + 2 * f.packedSize);
  steps = constants + 2 * f.packedSize + 4;
  stepsEnd = steps + 2 * count;
}

/** Raises the first entries of `count` tables of elements of E to `POWERS`. */
function raise<E>(count: i32): void {
  const e = the<E>();
  const size = e.size;
  const tableSize = <usize>ODD_POWERS * size;
  for (let k: i32 = 0; k < count; k++) e.sqr(POWERS + <usize>k * size, TABLE + <usize>k * tableSize);
  for (let i: i32 = 1; i < ODD_POWERS; i++) {
    for (let k: i32 = 0; k < count; k++) {
      const entry = TABLE + <usize>k * tableSize + <usize>i * size;
      e.mul(entry, entry - size, POWERS + <usize>k * size);
    }
  }
  const first = <usize>load<u8>(steps, 1) * size;
  for (let k: i32 = 0; k < count; k++) e.copy(POWERS + <usize>k * size, TABLE + <usize>k * tableSize + first);
  for (let step = steps + 2; step < stepsEnd; step += 2) {
    for (let squares: i32 = load<u8>(step); squares > 0; squares--) {
      for (let k: i32 = 0; k < count; k++) e.sqr(POWERS + <usize>k * size, POWERS + <usize>k * size);
    }
    const place: i32 = load<u8>(step, 1);
    if (place == NO_PRODUCT) continue;
    const entry = TABLE + <usize>place * size;
    for (let k: i32 = 0; k < count; k++) {
      e.mul(POWERS + <usize>k * size, POWERS + <usize>k * size, entry + <usize>k * tableSize);
    }
  }
}

/** Powers of single elements of F with the exponent (p - 3) / 4. */
@unmanaged
export class SinglePowers<F> {
  /** r_i = a_i^((p - 3) / 4) for `count` elements, at most `BLOCK`. */
  of(r: usize, a: usize, count: i32): void {
    const f = the<F>();
    for (let k: i32 = 0; k < count; k++) f.copy(TABLE + <usize>(k * ODD_POWERS) * f.size, a + <usize>k * f.size);
    raise<F>(count);
    for (let k: i32 = 0; k < count; k++) f.copy(r + <usize>k * f.size, POWERS + <usize>k * f.size);
  }
}

/** The same with two elements of F at a time in lanes, as elements of L. */
@unmanaged
export class LanePowers<F, L> {
  of(r: usize, a: usize, count: i32): void {
    const f = the<F>();
    const lanes = the<L>();
    const second = PACKED + f.packedSize;
    const pairs = (count + 1) >> 1;
    for (let k: i32 = 0; k < pairs; k++) {
      // Of an odd number the last one is computed twice.
      f.storePacked(PACKED, a + <usize>(2 * k) * f.size);
      f.storePacked(second, a + <usize>min(2 * k + 1, count - 1) * f.size);
      lanes.loadPacked(TABLE + <usize>(k * ODD_POWERS) * lanes.size, PACKED, second);
    }
    raise<L>(pairs);
    for (let k: i32 = 0; k < pairs; k++) {
      const power = POWERS + <usize>k * lanes.size;
      lanes.reduce(power, power);
      lanes.storePacked(PACKED, second, power);
      f.loadPacked(r + <usize>(2 * k) * f.size, PACKED);
      if (2 * k + 1 < count) f.loadPacked(r + <usize>(2 * k + 1) * f.size, second);
    }
  }
}

/** Square roots in a prime field with p = 3 (mod 4), by the powers that P gives. */
@unmanaged
export class PrimeRoots<F, P> {
  /** Roots of the elements `a` to r, where there are any; any numbers otherwise. r is not `a`. */
  of(r: usize, a: usize, count: i32): void {
    const f = the<F>();
    the<P>().of(r, a, count);
    for (let k: i32 = 0; k < count; k++) f.mul(r + <usize>k * f.size, r + <usize>k * f.size, a + <usize>k * f.size);
  }
}

/** Square roots in its quadratic extension. */
@unmanaged
export class QuadraticRoots<F, P> {
  /**
   * With a = a0 + a1 u and s^2 = a0^2 + a1^2, one of d = (a0 + s) / 2 and (a0 - s) / 2 is a square, since their product
   * is -a1^2 / 4. If d is, its root c0 and a1 / (2 c0) are the coordinates of the root; otherwise a1 / (2 c1) and c1
   * are, where c1^2 = -d. The power t = d^((p - 3) / 4) gives both: (t d)^2 = d and 1 / (t d) = t, or (t d)^2 = -d and
   * 1 / (t d) = -t.
   */
  of(r: usize, a: usize, count: i32): void {
    const f = the<F>();
    const size = f.size;
    for (let k: i32 = 0; k < count; k++) {
      const norm = NORMS + <usize>k * size;
      f.sqr(norm, a + <usize>(2 * k) * size);
      f.sqr(ROOT, a + <usize>(2 * k + 1) * size);
      f.add(norm, norm, ROOT);
    }
    the<P>().of(RAISED, NORMS, count);
    for (let k: i32 = 0; k < count; k++) {
      const norm = NORMS + <usize>k * size;
      const a0 = a + <usize>(2 * k) * size;
      f.mul(ROOT, RAISED + <usize>k * size, norm);
      f.add(norm, a0, ROOT);
      // Then a1 is 0, and so is (a0 + s) / 2 times the other one.
      if (f.isZero(norm)) f.sub(norm, a0, ROOT);
      f.mul(norm, norm, HALF);
    }
    the<P>().of(RAISED, NORMS, count);
    for (let k: i32 = 0; k < count; k++) {
      this.finish(
        r + <usize>(2 * k) * size,
        a + <usize>(2 * k + 1) * size,
        NORMS + <usize>k * size,
        RAISED + <usize>k * size,
      );
    }
  }

  /** The root from a1, d and t: c = t d in r, a1 t / 2 in r + size, or the other way round. */
  private finish(r: usize, a1: usize, d: usize, t: usize): void {
    const f = the<F>();
    const size = f.size;
    f.mul(r, t, d);
    f.mul(r + size, t, a1);
    f.mul(r + size, r + size, HALF);
    f.sqr(ROOT, r);
    if (f.equals(ROOT, d)) return;
    f.copy(ROOT, r);
    f.neg(r, r + size);
    f.copy(r + size, ROOT);
  }
}

/** Whether a packed element is 0. */
function isZeroBytes(at: usize, bytes: usize): bool {
  for (let i: usize = 0; i < bytes; i += 4) if (load<u32>(at + i) != 0) return false;
  return true;
}

/**
 * Writes `count` affine points, in Montgomery form with R = 2^(8 n) for coordinates of n bytes, which a .zkey has. Of
 * each point, `source` has x in this form and, in the highest bit, the lowest bit of y in this form (of c0 over F_p^2,
 * or of c1 if c0 is 0). Returns `count`, or -1 - i if point i is not on the curve, x is not below p, or y is 0 with a
 * sign.
 *
 * @param constants see `setRootConstants`.
 */
export function decompress<Base, F, Roots>(source: usize, count: i32, b: usize, constants: usize, target: usize): i32 {
  setRootConstants<Base>(constants);
  const bytes = the<F>().packedSize;
  for (let from: i32 = 0; from < count; from += BLOCK) {
    const some = min(BLOCK, count - from);
    const given = source + <usize>from * bytes;
    const points = target + 2 * <usize>from * bytes;
    let bad = loadSquares<F>(given, some, b, points);
    if (bad < some) return -1 - from - bad;
    the<Roots>().of(YS, SQUARES, some);
    bad = storeRoots<Base, F>(given, some, points);
    if (bad < some) return -1 - from - bad;
  }
  return count;
}

/** Writes x of each point, and y^2 to `SQUARES`. Returns `count`, or the number of the first x that is not below p. */
function loadSquares<F>(source: usize, count: i32, b: usize, target: usize): i32 {
  const f = the<F>();
  const bytes = f.packedSize;
  for (let i: i32 = 0; i < count; i++) {
    const x = target + 2 * <usize>i * bytes;
    const square = SQUARES + <usize>i * f.size;
    memory.copy(x, source + <usize>i * bytes, bytes);
    store<u32>(x + bytes - 4, load<u32>(x + bytes - 4) & ~SIGN);
    if (!f.isBelowModulus(x)) return i;
    f.loadMontgomery(X, x);
    f.sqr(square, X);
    f.mul(square, square, X);
    f.add(square, square, b);
  }
  return count;
}

/** Writes y of each point, with its sign. Returns `count`, or the number of the first that is none. */
function storeRoots<Base, F>(source: usize, count: i32, target: usize): i32 {
  const fq = the<Base>();
  const f = the<F>();
  const bytes = f.packedSize;
  for (let i: i32 = 0; i < count; i++) {
    const root = YS + <usize>i * f.size;
    const y = target + (2 * <usize>i + 1) * bytes;
    f.sqr(CHECK, root);
    if (!f.equals(CHECK, SQUARES + <usize>i * f.size)) return i;
    storeMontgomery<Base>(y, root, bytes);
    const sign = load<u32>(source + <usize>(i + 1) * bytes - 4) >> 31;
    const deciding = isZeroBytes(y, fq.packedSize) ? y + bytes - fq.packedSize : y;
    if ((load<u32>(deciding) & 1) == sign) continue;
    if (isZeroBytes(y, bytes)) return i;
    f.neg(root, root);
    storeMontgomery<Base>(y, root, bytes);
  }
  return count;
}

/** The packed Montgomery form of the elements of F_p that an element of `bytes` packed bytes has. */
function storeMontgomery<Base>(target: usize, a: usize, bytes: usize): void {
  const fq = the<Base>();
  for (let at: usize = 0; at < bytes; at += fq.packedSize, a += fq.size) {
    fq.mul(CHECK, a, SCALE);
    fq.storeCanonical(target + at, CHECK);
  }
}

/**
 * Multiplies `count` packed integers below p by a number modulo p: what brings coordinates from one Montgomery form to
 * another, or to canonical bytes, in one product each.
 *
 * @param constants see `setRootConstants`: the number in the place of R.
 */
export function packedProducts<Base>(source: usize, count: i32, constants: usize, target: usize): void {
  setRootConstants<Base>(constants);
  const fq = the<Base>();
  for (let i: i32 = 0; i < count; i++) {
    const at = <usize>i * fq.packedSize;
    fq.loadPlain(X, source + at);
    fq.mul(CHECK, X, SCALE);
    fq.storePlain(target + at, CHECK);
  }
}
