import { the } from '../field/field';
import { ELEMENT } from '../generated/scratch';

// The map between a Weierstrass curve and its twisted Edwards form, over the field Base and with the constants of Form:
// x_m = s (x - alpha), y_m = s y, then X = scale x_m / y_m and Y = (x_m - 1) / (x_m + 1).

// Scratch elements.
const A: usize = memory.data(ELEMENT);
const B: usize = memory.data(ELEMENT);
const C: usize = memory.data(ELEMENT);
const D: usize = memory.data(ELEMENT);
const E: usize = memory.data(ELEMENT);
const F: usize = memory.data(ELEMENT);

/** Converts sums on the Edwards form to the boundary form of a curve whose boundary form is the Weierstrass form. */
@unmanaged
export class WeierstrassImage<Base, Form> {
  /**
   * The Weierstrass point in boundary bytes, all zero for the neutral element: x_m = (Z + Y) / (Z - Y),
   * y_m = scale x_m Z / X, then x = x_m / s + alpha, y = y_m / s. (0, -1) becomes the point (alpha, 0) of order 2.
   */
  storeAffine(target: usize, a: usize): void {
    const f = the<Base>();
    const n = f.size;
    f.sub(A, a + 2 * n, a + n);
    if (f.isZero(A)) {
      memory.fill(target, 0, 2 * f.packedSize);
      return;
    }
    if (f.isZero(a)) {
      f.storeCanonical(target, the<Form>().alpha);
      memory.fill(target + f.packedSize, 0, f.packedSize);
      return;
    }
    f.mul(B, A, a);
    f.invert(C, B);
    f.add(D, a + 2 * n, a + n);
    f.mul(D, D, C);
    f.mul(D, D, the<Form>().inverseS);
    f.mul(E, D, a);
    f.add(E, E, the<Form>().alpha);
    f.mul(F, D, a + 2 * n);
    f.mul(F, F, the<Form>().scale);
    f.storeCanonical(target, E);
    f.storeCanonical(target + f.packedSize, F);
  }
}

/**
 * Numerators and denominators of the map from the Weierstrass point at `point` (x, y in kernel form): x_m = s (x -
 * alpha) at `xm`, y_m = s y at `ym`, y_m (x_m + 1) at `denominator`. False when the denominator is 0: the point is
 * exceptional.
 */
export function beginEdwardsMap<Base, Form>(xm: usize, ym: usize, denominator: usize, point: usize): bool {
  const f = the<Base>();
  f.sub(A, point, the<Form>().alpha);
  f.mul(xm, A, the<Form>().s);
  f.mul(ym, point + f.size, the<Form>().s);
  f.setOne(A);
  f.add(A, A, xm);
  f.mul(denominator, A, ym);
  return !f.isZero(denominator);
}

/**
 * The prepared form of a point: Y - X, Y + X, 2 d X Y with X = scale x_m / y_m and Y = (x_m - 1) / (x_m + 1), given the
 * inverse of y_m (x_m + 1).
 */
export function finishEdwardsMap<Base, Form>(target: usize, xm: usize, ym: usize, inverse: usize): void {
  const f = the<Base>();
  f.setOne(A);
  f.add(B, xm, A);
  f.sub(C, xm, A);
  f.mul(D, inverse, B);
  f.mul(D, D, xm);
  f.mul(D, D, the<Form>().scale);
  f.mul(E, inverse, ym);
  f.mul(E, E, C);
  f.sub(A, E, D);
  f.storePacked(target, A);
  f.add(A, E, D);
  f.storePacked(target + f.packedSize, A);
  f.mul(A, E, D);
  f.mul(A, A, the<Form>().twoD);
  f.storePacked(target + 2 * f.packedSize, A);
}
