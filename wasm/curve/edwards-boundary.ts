import { the } from '../field/field';
import { ELEMENT } from '../generated/scratch';
import { CANONICAL, isInfinity, loadCoordinates, POINT } from '../prepare/prepare';

// Functions for curves whose boundary form is the twisted Edwards form -X^2 + Y^2 = 1 + d X^2 Y^2: affine X, Y over the
// field Base. Form has the curve's constants. The neutral element is (0, 1), and zeros stand for it as well.

// Scratch elements.
const X: usize = memory.data(ELEMENT);
const Y: usize = memory.data(ELEMENT);
const U: usize = memory.data(ELEMENT);
const V: usize = memory.data(ELEMENT);

/** Converts sums on the Weierstrass form to the boundary form. */
@unmanaged
export class EdwardsBoundary<Base, Form> {
  /**
   * The Edwards point of a sum in XYZZ coordinates, zeros for the neutral element: x_m = s (x - alpha) and y_m = s y,
   * then X = scale x_m / y_m and Y = (x_m - 1) / (x_m + 1). (alpha, 0) becomes the point (0, -1) of order 2. No other
   * point has a denominator of 0, because d is not a square.
   */
  storeAffine(target: usize, sum: usize): void {
    const f = the<Base>();
    const n = f.size;
    if (f.isZero(sum + 2 * n)) {
      memory.fill(target, 0, 2 * f.packedSize);
      return;
    }
    f.invert(U, sum + 3 * n);
    f.mul(Y, U, sum + n);
    f.mul(X, U, sum + 2 * n);
    f.sqr(X, X);
    f.mul(X, X, sum);
    f.sub(X, X, the<Form>().alpha);
    f.mul(X, X, the<Form>().s);
    f.mul(Y, Y, the<Form>().s);
    f.setOne(V);
    if (f.isZero(Y)) {
      f.neg(V, V);
      memory.fill(target, 0, f.packedSize);
      f.storeCanonical(target + f.packedSize, V);
      return;
    }
    f.add(U, X, V);
    f.sub(V, X, V);
    f.mul(X, X, U);
    f.mul(V, V, Y);
    f.mul(Y, Y, U);
    f.invert(U, Y);
    f.mul(X, X, U);
    f.mul(X, X, the<Form>().scale);
    f.mul(Y, V, U);
    f.storeCanonical(target, X);
    f.storeCanonical(target + f.packedSize, Y);
  }
}

/** Whether an affine point in boundary bytes has coordinates below p and is on the curve. */
export function isOnEdwards<Base, Form>(point: usize): bool {
  if (isInfinity(point, 2 * the<Base>().packedSize)) return true;
  return loadCoordinates<Base>(point, CANONICAL) && satisfiesEdwards<Base, Form>();
}

/**
 * Checks `count` affine points and writes them in prepared form, (Y - X, Y + X, 2 d X Y), to `target`, and their
 * indices (u32) to `indices`. The neutral element is left out. Returns the number of points written, or -1 - i when
 * point i is not on the curve.
 *
 * (0, -1) is exceptional, because the workers cannot add it. The number of exceptional points goes to `exceptional`
 * (u32), followed by the index of each, and their boundary bytes go to `exceptionalPoints`.
 */
export function prepareFromEdwards<Base, Form>(
  source: usize,
  count: i32,
  encoding: i32,
  target: usize,
  indices: usize,
  exceptional: usize,
  exceptionalPoints: usize,
): i32 {
  const f = the<Base>();
  const n = f.size;
  const bytes: usize = 2 * f.packedSize;
  let kept: i32 = 0;
  let set: u32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const at = source + <usize>i * bytes;
    if (isInfinity(at, bytes)) continue;
    if (!loadCoordinates<Base>(at, encoding) || !satisfiesEdwards<Base, Form>()) return -1 - i;
    if (f.isZero(POINT)) {
      f.setOne(X);
      if (f.equals(POINT + n, X)) continue;
      const to = exceptionalPoints + <usize>set * bytes;
      f.storeCanonical(to, POINT);
      f.storeCanonical(to + f.packedSize, POINT + n);
      set++;
      store<u32>(exceptional + (<usize>set << 2), i);
      continue;
    }
    const to = target + <usize>kept * 3 * f.packedSize;
    f.sub(X, POINT + n, POINT);
    f.storePacked(to, X);
    f.add(X, POINT + n, POINT);
    f.storePacked(to + f.packedSize, X);
    f.mul(X, POINT, POINT + n);
    f.mul(X, X, the<Form>().twoD);
    f.storePacked(to + 2 * f.packedSize, X);
    store<u32>(indices + (<usize>kept << 2), i);
    kept++;
  }
  store<u32>(exceptional, set);
  return kept;
}

/** Whether POINT satisfies -X^2 + Y^2 = 1 + d X^2 Y^2. */
function satisfiesEdwards<Base, Form>(): bool {
  const f = the<Base>();
  f.sqr(X, POINT);
  f.sqr(Y, POINT + f.size);
  f.mul(U, X, Y);
  f.mul(U, U, the<Form>().d);
  f.setOne(V);
  f.add(U, U, V);
  f.sub(Y, Y, X);
  return f.equals(U, Y);
}
