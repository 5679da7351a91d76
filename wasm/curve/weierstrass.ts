import { the } from '../field/field';
import { EXTENDED } from '../generated/scratch';

// Scratch elements, each with room for an element of any field of the module.
const U: usize = memory.data(EXTENDED);
const S: usize = memory.data(EXTENDED);
const P: usize = memory.data(EXTENDED);
const R: usize = memory.data(EXTENDED);
const PP: usize = memory.data(EXTENDED);
const PPP: usize = memory.data(EXTENDED);
const Q: usize = memory.data(EXTENDED);
const T: usize = memory.data(EXTENDED);
const NEGATED: usize = memory.data(2 * EXTENDED);

/** The a of y^2 = x^3 + a x + b for curves with a = 0. Classes for other a are generated. */
@unmanaged
export class ZeroA {
  get isZero(): bool {
    return true;
  }

  /** The address of a in kernel form. */
  get value(): usize {
    return 0;
  }

  /** The address of a in packed form. */
  get packed(): usize {
    return 0;
  }
}

/**
 * The group of y^2 = x^3 + a x + b over the field F, for any b; the class A has a. Sums are in XYZZ coordinates (x = X
 * / ZZ, y = Y / ZZZ, ZZ^3 = ZZZ^2; ZZ = 0 is infinity). Bases are affine (x, y), never infinity. Equal, opposite and
 * infinite points are handled correctly. Formulas: Explicit-Formulas Database, short Weierstrass, xyzz, madd-2008-s,
 * add-2008-s, dbl-2008-s-1, mdbl-2008-s-1. r may be the same address as a or b.
 */
@unmanaged
export class Weierstrass<F, A> {
  /** Bytes of a sum. */
  get sumSize(): usize {
    return 4 * the<F>().size;
  }

  /** Bytes of a base in kernel form. */
  get baseSize(): usize {
    return 2 * the<F>().size;
  }

  /** Bytes of a base in prepared form. */
  get preparedSize(): usize {
    return 2 * the<F>().packedSize;
  }

  loadBase(r: usize, source: usize): void {
    const f = the<F>();
    f.loadPacked(r, source);
    f.loadPacked(r + f.size, source + f.packedSize);
  }

  setIdentity(r: usize): void {
    memory.fill(r, 0, this.sumSize);
  }

  isIdentity(a: usize): bool {
    const f = the<F>();
    return f.isZero(a + 2 * f.size);
  }

  /** r = a + (negative ? -base : base): 8M + 2S. */
  addBase(r: usize, a: usize, base: usize, negative: bool): void {
    const f = the<F>();
    const n = f.size;
    if (negative) {
      f.copy(NEGATED, base);
      f.neg(NEGATED + n, base + n);
      base = NEGATED;
    }
    if (this.isIdentity(a)) {
      f.copy(r, base);
      f.copy(r + n, base + n);
      f.setOne(r + 2 * n);
      f.setOne(r + 3 * n);
      return;
    }
    f.mul(U, base, a + 2 * n);
    f.mul(S, base + n, a + 3 * n);
    f.sub(P, U, a);
    f.sub(R, S, a + n);
    if (f.isZero(P)) {
      if (f.isZero(R)) this.doubleBase(r, base);
      else this.setIdentity(r);
      return;
    }
    this.finishAddition(r, a, a + n, a + 2 * n, a + 3 * n);
  }

  /** r = a + b: 12M + 2S. */
  add(r: usize, a: usize, b: usize): void {
    const f = the<F>();
    const n = f.size;
    if (this.isIdentity(a)) {
      memory.copy(r, b, this.sumSize);
      return;
    }
    if (this.isIdentity(b)) {
      memory.copy(r, a, this.sumSize);
      return;
    }
    f.mul(U, a, b + 2 * n);
    f.mul(P, b, a + 2 * n);
    f.mul(S, a + n, b + 3 * n);
    f.mul(R, b + n, a + 3 * n);
    f.sub(P, P, U);
    f.sub(R, R, S);
    if (f.isZero(P)) {
      if (f.isZero(R)) this.dbl(r, a);
      else this.setIdentity(r);
      return;
    }
    f.mul(r + 2 * n, a + 2 * n, b + 2 * n);
    f.mul(r + 3 * n, a + 3 * n, b + 3 * n);
    this.finishAddition(r, U, S, r + 2 * n, r + 3 * n);
  }

  /**
   * The common end of both additions. x1 and y1 have been multiplied by the other point's denominators; P and R are the
   * differences.
   */
  private finishAddition(r: usize, x1: usize, y1: usize, zz: usize, zzz: usize): void {
    const f = the<F>();
    const n = f.size;
    f.sqr(PP, P);
    f.mul(PPP, P, PP);
    f.mul(Q, x1, PP);
    f.mul(T, y1, PPP);
    f.mul(r + 2 * n, zz, PP);
    f.mul(r + 3 * n, zzz, PPP);
    f.sqr(U, R);
    f.sub2(U, U, PPP, Q);
    f.sub(r, U, Q);
    f.sub(Q, Q, r);
    f.mul(S, R, Q);
    f.sub(r + n, S, T);
  }

  dbl(r: usize, a: usize): void {
    const f = the<F>();
    const n = f.size;
    f.dbl(U, a + n);
    f.sqr(P, U);
    f.mul(R, U, P);
    f.mul(S, a, P);
    f.mul(T, R, a + n);
    if (!the<A>().isZero) {
      f.sqr(NEGATED, a + 2 * n);
      f.mul(NEGATED, NEGATED, the<A>().value);
    }
    f.mul(r + 2 * n, P, a + 2 * n);
    f.mul(r + 3 * n, R, a + 3 * n);
    this.finishDoubling(r, a, NEGATED);
  }

  private doubleBase(r: usize, base: usize): void {
    const f = the<F>();
    const n = f.size;
    f.dbl(U, base + n);
    f.sqr(P, U);
    f.mul(R, U, P);
    f.mul(S, base, P);
    f.mul(T, R, base + n);
    f.copy(r + 2 * n, P);
    f.copy(r + 3 * n, R);
    this.finishDoubling(r, base, the<A>().value);
  }

  /**
   * The common end of both doublings, with S, W y in T, x at address `x`, and a ZZ^2 at `linear`. A point of order 2
   * has ZZ = 0 already.
   */
  private finishDoubling(r: usize, x: usize, linear: usize): void {
    const f = the<F>();
    const n = f.size;
    f.sqr(Q, x);
    f.dbl(PP, Q);
    f.add(Q, PP, Q);
    if (!the<A>().isZero) f.add(Q, Q, linear);
    f.sqr(U, Q);
    f.sub2(r, U, S, S);
    f.sub(S, S, r);
    f.mul(PP, Q, S);
    f.sub(r + n, PP, T);
  }

  /** Bytes of an affine point at the boundary. */
  get boundarySize(): usize {
    return 2 * the<F>().packedSize;
  }

  /** A base from its affine form in boundary bytes; false for infinity, which has no base. */
  loadAffine(r: usize, source: usize): bool {
    const f = the<F>();
    f.loadCanonical(r, source);
    f.loadCanonical(r + f.size, source + f.packedSize);
    return !(f.isZero(r) && f.isZero(r + f.size));
  }

  /** r = a + base, where `base` is a base that `loadAffine` wrote. */
  @inline addAffine(r: usize, a: usize, base: usize): void {
    this.addBase(r, a, base, false);
  }

  /** The affine form in boundary bytes; infinity is all zero. */
  storeAffine(target: usize, a: usize): void {
    const f = the<F>();
    const n = f.size;
    if (this.isIdentity(a)) {
      memory.fill(target, 0, 2 * f.packedSize);
      return;
    }
    f.invert(U, a + 3 * n);
    f.mul(S, U, a + 2 * n);
    f.sqr(S, S);
    f.mul(S, S, a);
    f.mul(U, U, a + n);
    f.storeCanonical(target, S);
    f.storeCanonical(target + f.packedSize, U);
  }

  /** Bytes of a sum's four packed coordinates. */
  get packedSumSize(): usize {
    return 4 * the<F>().packedSize;
  }

  /** A sum from its four packed coordinates. */
  loadSum(r: usize, source: usize): void {
    const f = the<F>();
    for (let i: usize = 0; i < 4; i++) f.loadPacked(r + i * f.size, source + i * f.packedSize);
  }
}

/** Whether (x, y) at `base` satisfies y^2 = x^3 + a x + b. */
export function satisfiesEquation<F, A>(base: usize, b: usize): bool {
  const f = the<F>();
  f.sqr(U, base);
  if (!the<A>().isZero) f.add(U, U, the<A>().value);
  f.mul(U, U, base);
  f.add(U, U, b);
  f.sqr(S, base + f.size);
  return f.equals(U, S);
}

/** Whether an affine point in boundary bytes satisfies the equation; infinity does. */
export function isOnCurve<F, A>(point: usize, b: usize): bool {
  if (!the<Weierstrass<F, A>>().loadAffine(NEGATED, point)) return true;
  return satisfiesEquation<F, A>(NEGATED, b);
}
