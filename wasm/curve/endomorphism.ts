import { the } from '../field/field';

// The endomorphism (x, y) -> (beta x, y), which multiplies by lambda, halves the length of scalars: k = k1 + k2 lambda (mod r) with |k1|
// and |k2| of about the square root of r (Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient
// endomorphisms", CRYPTO 2001). The splitting is generated from the curve's short vectors.

/** Scalars are split in limbs of BITS bits. */
export const BITS: i64 = 30;
export const MASK: i64 = (1 << 30) - 1;
/** Half of a unit of the column above. */
export const HALF: i64 = 1 << 29;

/** The absolute value of a number of five limbs, of which 128 bits count, and its sign in the highest bit of 16 bytes. */
// @ts-ignore: decorator
@inline
export function storeHalf(half: usize, x0: i64, x1: i64, x2: i64, x3: i64, x4: i64): void {
  let low: i64 = x0 | (x1 << 30) | (x2 << 60);
  let high: i64 = (x2 >> 4) | (x3 << 26) | (x4 << 56);
  if (high < 0) {
    low = -low;
    high = (~high + i64(low == 0)) | i64.MIN_VALUE;
  }
  store<i64>(half, low);
  store<i64>(half, high, 8);
}

/**
 * Puts the images under the endomorphism in the places of points[from..to), both even: affine points, zeros for infinity. `beta` in packed
 * form.
 */
export function mapPoints<A>(beta: usize, points: usize, from: i32, to: i32): void {
  const arithmetic = the<A>();
  const pointSize = arithmetic.pointSize;
  arithmetic.setFactor(beta);
  for (let k = from; k < to; k += 2) {
    const first = points + <usize>k * pointSize;
    arithmetic.multiplyTwo(first, first, first + pointSize);
  }
}
