import { the } from './field';
import { addressOf, SIGN } from './pair-tree';

// The endomorphism (x, y) -> (beta x, y), which multiplies by lambda, halves the length of scalars: k = k1 + k2 lambda (mod r) with |k1|
// and |k2| below 2^126 (Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms",
// CRYPTO 2001). How k is split depends on the curve's short vectors: split-bn254.ts, split-bls12-377.ts.

/** Scalars are split in limbs of BITS bits. */
export const BITS: i64 = 30;
export const MASK: i64 = (1 << 30) - 1;
/** Half of a unit of the column above. */
export const HALF: i64 = 1 << 29;

/** The absolute value of a number of five limbs, of which 128 bits count, and its sign into the reference. */
// @ts-ignore: decorator
@inline
export function storeHalf(half: usize, reference: usize, x0: i64, x1: i64, x2: i64, x3: i64, x4: i64): void {
  let low: i64 = x0 | (x1 << 30) | (x2 << 60);
  let high: i64 = (x2 >> 4) | (x3 << 26) | (x4 << 56);
  if (high < 0) {
    low = -low;
    high = ~high + i64(low == 0);
    store<u32>(reference, load<u32>(reference) ^ SIGN);
  }
  store<i64>(half, low);
  store<i64>(half, high, 8);
}

/**
 * The images under the endomorphism of the points of references[from..to), `from` even: points to `target` on, with room for one more,
 * and their references. `beta` in packed form.
 */
export function mapPoints<A>(
  beta: usize,
  references: usize,
  from: i32,
  to: i32,
  target: usize,
  images: usize,
): void {
  const arithmetic = the<A>();
  const pointSize = arithmetic.pointSize;
  arithmetic.setFactor(beta);
  for (let k = from; k < to; k += 2) {
    const first = addressOf(load<u32>(references + (<usize>k << 2)));
    const second = k + 1 < to ? addressOf(load<u32>(references + (<usize>k << 2), 4)) : first;
    arithmetic.multiplyTwo(target + <usize>k * pointSize, first, second);
  }
  for (let k = from; k < to; k++) {
    const sign = load<u32>(references + (<usize>k << 2)) & SIGN;
    store<u32>(images + (<usize>k << 2), <u32>((target + <usize>k * pointSize) >> 3) | sign);
  }
}
