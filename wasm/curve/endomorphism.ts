import { the } from '../field/field';

// The endomorphism (x, y) -> (beta x, y) multiplies by lambda. With it scalars can be split into halves:
// k = k1 + k2 lambda (mod r), where |k1| and |k2| are about the square root of r (Gallant, Lambert, Vanstone, "Faster
// point multiplication on elliptic curves with efficient endomorphisms", CRYPTO 2001). The code that splits scalars is
// generated from the curve's short vectors.

/** Bits of a limb in the code that splits scalars. */
export const BITS: i64 = 30;
export const MASK: i64 = (1 << 30) - 1;
/** Half of a unit of the next limb. */
export const HALF: i64 = 1 << 29;

/**
 * Stores a number of five limbs in 16 bytes: its absolute value, and its sign in the highest bit. Only its low 128 bits
 * are used.
 */
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
 * Replaces points[from..to) by their images under the endomorphism; from and to are even. Points are affine, zeros for
 * infinity. `beta` is in packed form.
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
