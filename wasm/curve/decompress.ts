// Points from x and a sign. The square root of y^2 = x^3 + a x + b comes from one power modulo p for a prime p = 3
// (mod 4), and from two over F_p^2 = F_p[u] / (u^2 + 1), without an inverse (Adj, Rodriguez-Henriquez, "Square root
// computation over even extension fields", 2012/685, section 5, the complex method).

import { the } from '../field/field';
import { ELEMENT, EXTENDED } from '../generated/scratch';

/** The exponent is cut into digits of 4 bits. */
const POWERS: i32 = 16;
const TABLE: usize = memory.data(POWERS * ELEMENT);

const POWER: usize = memory.data(ELEMENT);
const NORM: usize = memory.data(ELEMENT);
const ROOT: usize = memory.data(ELEMENT);
const HALF: usize = memory.data(ELEMENT);
const SCALE: usize = memory.data(ELEMENT);
const X: usize = memory.data(EXTENDED);
const SQUARE: usize = memory.data(EXTENDED);
const Y: usize = memory.data(EXTENDED);
const CHECK: usize = memory.data(EXTENDED);

/** The highest bit of the highest byte of a packed coordinate, which p leaves free. */
const SIGN: u32 = 0x80000000;

/** What square roots are computed with, which does not change between points. */
let exponent: usize = 0;
let digits: i32 = 0;

/**
 * Takes what square roots are computed with.
 *
 * @param constants R mod p, and (p + 1) / 2, canonical, then the number of digits of 4 bits of (p - 3) / 4 (u32), and
 * the digits from the highest on, a byte each.
 */
export function setRootConstants<F>(constants: usize): void {
  const f = the<F>();
  f.loadCanonical(SCALE, constants);
  f.loadCanonical(HALF, constants + f.packedSize);
  digits = load<i32>(constants + 2 * f.packedSize);
  exponent = constants + 2 * f.packedSize + 4;
}

/** r = a^((p - 3) / 4). */
function powerOf<F>(r: usize, a: usize): void {
  const f = the<F>();
  const size = f.size;
  f.setOne(TABLE);
  f.copy(TABLE + size, a);
  for (let i: i32 = 2; i < POWERS; i++) f.mul(TABLE + <usize>i * size, TABLE + <usize>(i - 1) * size, a);
  f.setOne(POWER);
  for (let i: i32 = 0; i < digits; i++) {
    f.sqr(POWER, POWER);
    f.sqr(POWER, POWER);
    f.sqr(POWER, POWER);
    f.sqr(POWER, POWER);
    const digit = <usize>load<u8>(exponent + <usize>i);
    if (digit != 0) f.mul(POWER, POWER, TABLE + digit * size);
  }
  f.copy(r, POWER);
}

/** Square roots in a prime field with p = 3 (mod 4). */
@unmanaged
export class PrimeRoots<F> {
  /** A root of `a` to r, if there is one; any number otherwise. r is not `a`. */
  root(r: usize, a: usize): void {
    powerOf<F>(r, a);
    the<F>().mul(r, r, a);
  }
}

/** Square roots in its quadratic extension. */
@unmanaged
export class QuadraticRoots<F> {
  /**
   * With a = a0 + a1 u and s^2 = a0^2 + a1^2, one of d = (a0 + s) / 2 and (a0 - s) / 2 is a square, since their product
   * is -a1^2 / 4. If d is, its root c0 and a1 / (2 c0) are the coordinates of the root; otherwise a1 / (2 c1) and c1
   * are, where c1^2 = -d. The power t = d^((p - 3) / 4) gives both: (t d)^2 = d and 1 / (t d) = t, or (t d)^2 = -d and
   * 1 / (t d) = -t.
   */
  root(r: usize, a: usize): void {
    const f = the<F>();
    const size = f.size;
    const a1 = a + size;
    f.sqr(NORM, a);
    f.sqr(ROOT, a1);
    f.add(NORM, NORM, ROOT);
    powerOf<F>(ROOT, NORM);
    f.mul(ROOT, ROOT, NORM);
    f.add(NORM, a, ROOT);
    // Then a1 is 0, and so is (a0 + s) / 2 times the other one.
    if (f.isZero(NORM)) f.sub(NORM, a, ROOT);
    f.mul(NORM, NORM, HALF);
    powerOf<F>(ROOT, NORM);
    // c = t d in r, a1 t / 2 in r + size.
    f.mul(r, ROOT, NORM);
    f.mul(r + size, ROOT, a1);
    f.mul(r + size, r + size, HALF);
    f.sqr(ROOT, r);
    if (f.equals(ROOT, NORM)) return;
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
  const fq = the<Base>();
  const f = the<F>();
  const bytes = f.packedSize;
  setRootConstants<Base>(constants);
  for (let i: i32 = 0; i < count; i++) {
    const x = target + 2 * <usize>i * bytes;
    const y = x + bytes;
    memory.copy(x, source + <usize>i * bytes, bytes);
    const top = load<u32>(x + bytes - 4);
    const sign = top >> 31;
    store<u32>(x + bytes - 4, top & ~SIGN);
    if (!f.isBelowModulus(x)) return -1 - i;
    f.loadMontgomery(X, x);
    f.sqr(SQUARE, X);
    f.mul(SQUARE, SQUARE, X);
    f.add(SQUARE, SQUARE, b);
    the<Roots>().root(Y, SQUARE);
    f.sqr(CHECK, Y);
    if (!f.equals(CHECK, SQUARE)) return -1 - i;
    storeMontgomery<Base>(y, Y, bytes);
    const deciding = isZeroBytes(y, fq.packedSize) ? y + bytes - fq.packedSize : y;
    if ((load<u32>(deciding) & 1) == sign) continue;
    if (isZeroBytes(y, bytes)) return -1 - i;
    f.neg(Y, Y);
    storeMontgomery<Base>(y, Y, bytes);
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
