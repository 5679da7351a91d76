import { the } from '../field/field';
import { ALPHA, INVERSE_S, S, SCALE, TWO_D } from '../generated/bls12-377-constants';
import { Fq } from '../generated/bls12-377-fq';

// Scratch elements of Fq.
const A: usize = memory.data(64);
const B: usize = memory.data(64);
const C: usize = memory.data(64);
const D: usize = memory.data(64);
const E: usize = memory.data(64);
const F: usize = memory.data(64);
const G: usize = memory.data(64);
const H: usize = memory.data(64);

/**
 * BLS12-377's G1 as the twisted Edwards curve -X^2 + Y^2 = 1 + d X^2 Y^2, the form of the GPU's window sums: extended coordinates
 * (X, Y, Z, T) with T = XY / Z. One formula serves all cases, for points of odd order. Formulas: Hisil, Wong, Carter, Dawson, "Twisted
 * Edwards Curves Revisited" (2008/522), sections 3.1 and 3.3.
 */
@unmanaged
export class Edwards {
  setIdentity(r: usize): void {
    const f = the<Fq>();
    f.setZero(r);
    f.setOne(r + f.size);
    f.setOne(r + 2 * f.size);
    f.setZero(r + 3 * f.size);
  }

  /** r = a + b: 9M. */
  add(r: usize, a: usize, b: usize): void {
    const f = the<Fq>();
    const n = f.size;
    f.sub(A, a + n, a);
    f.sub(B, b + n, b);
    f.mul(A, A, B);
    f.add(B, a + n, a);
    f.add(C, b + n, b);
    f.mul(B, B, C);
    f.mul(C, a + 3 * n, b + 3 * n);
    f.mul(C, C, TWO_D);
    f.mul(D, a + 2 * n, b + 2 * n);
    f.dbl(D, D);
    f.sub(F, D, C);
    f.add(G, D, C);
    f.sub(E, B, A);
    f.add(H, B, A);
    this.finish(r);
  }

  /** r = 2 a: 4M + 4S. */
  dbl(r: usize, a: usize): void {
    const f = the<Fq>();
    const n = f.size;
    f.sqr(A, a);
    f.sqr(B, a + n);
    f.sqr(C, a + 2 * n);
    f.dbl(C, C);
    f.add(E, a, a + n);
    f.sqr(E, E);
    f.sub2(E, E, A, B);
    f.sub(G, B, A);
    f.sub(F, G, C);
    f.add(H, A, B);
    f.neg(H, H);
    this.finish(r);
  }

  private finish(r: usize): void {
    const f = the<Fq>();
    const n = f.size;
    f.mul(r, E, F);
    f.mul(r + n, G, H);
    f.mul(r + 2 * n, F, G);
    f.mul(r + 3 * n, E, H);
  }

  loadSum(r: usize, source: usize): void {
    const f = the<Fq>();
    for (let i: usize = 0; i < 4; i++) f.loadPacked(r + i * f.size, source + i * f.packedSize);
  }

  /**
   * The Weierstrass point in boundary bytes, all zero for the neutral element: x_m = (Z + Y) / (Z - Y),
   * y_m = scale x_m Z / X, then x = x_m / s + alpha, y = y_m / s. (0, -1) is the point (alpha, 0) of order 2.
   */
  storeAffine(target: usize, a: usize): void {
    const f = the<Fq>();
    const n = f.size;
    f.sub(A, a + 2 * n, a + n);
    if (f.isZero(A)) {
      memory.fill(target, 0, 2 * f.packedSize);
      return;
    }
    if (f.isZero(a)) {
      f.storeCanonical(target, ALPHA);
      memory.fill(target + f.packedSize, 0, f.packedSize);
      return;
    }
    f.mul(B, A, a);
    f.invert(C, B);
    f.add(D, a + 2 * n, a + n);
    f.mul(D, D, C);
    f.mul(D, D, INVERSE_S);
    f.mul(E, D, a);
    f.add(E, E, ALPHA);
    f.mul(F, D, a + 2 * n);
    f.mul(F, F, SCALE);
    f.storeCanonical(target, E);
    f.storeCanonical(target + f.packedSize, F);
  }
}

/**
 * Numerators and denominators of the map from the Weierstrass point at `point` (x, y in kernel form): x_m = s (x - alpha) at
 * `xm`, y_m = s y at `ym`, y_m (x_m + 1) at `denominator`. False when that is 0: the point is exceptional.
 */
export function beginEdwardsMap(xm: usize, ym: usize, denominator: usize, point: usize): bool {
  const f = the<Fq>();
  f.sub(A, point, ALPHA);
  f.mul(xm, A, S);
  f.mul(ym, point + f.size, S);
  f.setOne(A);
  f.add(A, A, xm);
  f.mul(denominator, A, ym);
  return !f.isZero(denominator);
}

/**
 * The prepared form of a point: Y - X, Y + X, 2 d X Y with X = scale x_m / y_m and Y = (x_m - 1) / (x_m + 1), given the
 * inverse of y_m (x_m + 1).
 */
export function finishEdwardsMap(target: usize, xm: usize, ym: usize, inverse: usize): void {
  const f = the<Fq>();
  f.setOne(A);
  f.add(B, xm, A);
  f.sub(C, xm, A);
  f.mul(D, inverse, B);
  f.mul(D, D, xm);
  f.mul(D, D, SCALE);
  f.mul(E, inverse, ym);
  f.mul(E, E, C);
  f.sub(A, E, D);
  f.storePacked(target, A);
  f.add(A, E, D);
  f.storePacked(target + f.packedSize, A);
  f.mul(A, E, D);
  f.mul(A, A, TWO_D);
  f.storePacked(target + 2 * f.packedSize, A);
}
