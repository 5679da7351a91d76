import { the } from '../field/field';
import { ELEMENT } from '../generated/scratch';

/** Points that share an inversion. */
const BATCH: i32 = 256;

const DENOMINATORS: usize = memory.data(BATCH * ELEMENT);
const PRODUCTS: usize = memory.data(BATCH * ELEMENT);
// Scratch elements.
const RUNNING: usize = memory.data(ELEMENT);
const SUM: usize = memory.data(ELEMENT);
const DIFFERENCE: usize = memory.data(ELEMENT);
const T: usize = memory.data(ELEMENT);
const U: usize = memory.data(ELEMENT);

/**
 * Points for AffinePairs over F from `count` bases in the prepared Edwards form: (Y - X, Y + X, 2 d X Y) in packed
 * Montgomery form with the factor R'. The third coordinate is not needed. E has the constants of the Edwards form.
 *
 * Let S = 2 Y be the sum of the first two coordinates, and D = 2 X their difference. Then (see edwards-map.ts) x_m = (2
 * + S) / (2 - S), y_m = 2 scale x_m / D, x = x_m / s + alpha, y = y_m / s, which with t = (2 + S) / (s (2 - S) D) is x
 * = t D + alpha, y = 2 scale t. No point in prepared form has 2 - S = 0 (infinity) or D = 0 (infinity, and a point of
 * order 2).
 */
export function loadEdwardsPoints<F, E>(source: usize, count: i32, target: usize): void {
  const baseBytes: usize = 3 * the<F>().packedSize;
  const pointSize: usize = 2 * the<F>().size;
  for (let from: i32 = 0; from < count; from += BATCH) {
    loadBatch<F, E>(source + <usize>from * baseBytes, min(BATCH, count - from), target + <usize>from * pointSize);
  }
}

/**
 * A packed element whose limbs are used without conversion is the element times c = R' / R. So 2, S and D here have a
 * factor c, denominators have c^2, and t has 1 / c, which cancels against the c of D and the c of 2 scale.
 */
function loadBatch<F, E>(source: usize, count: i32, target: usize): void {
  const f = the<F>();
  const n = f.size;
  f.setOne(RUNNING);
  for (let k: i32 = 0; k < count; k++) {
    const denominator = DENOMINATORS + <usize>k * n;
    loadSumAndDifference<F>(source, k);
    f.sub(T, the<E>().plainTwo, SUM);
    f.mul(denominator, DIFFERENCE, T);
    f.copy(PRODUCTS + <usize>k * n, RUNNING);
    f.mul(RUNNING, RUNNING, denominator);
  }
  f.copy(T, RUNNING);
  f.invert(RUNNING, T);
  for (let k = count - 1; k >= 0; k--) {
    const x = target + <usize>k * 2 * n;
    loadSumAndDifference<F>(source, k);
    f.mul(T, RUNNING, PRODUCTS + <usize>k * n);
    f.mul(RUNNING, RUNNING, DENOMINATORS + <usize>k * n);
    f.mul(T, T, the<E>().inverseS);
    f.add(U, the<E>().plainTwo, SUM);
    f.mul(T, T, U);
    f.mul(U, T, DIFFERENCE);
    f.add(x, U, the<E>().alpha);
    f.mul(x + n, T, the<E>().plainTwoScale);
  }
}

/** SUM and DIFFERENCE of base k. */
function loadSumAndDifference<F>(source: usize, k: i32): void {
  const f = the<F>();
  const base = source + <usize>k * 3 * f.packedSize;
  f.loadPlain(T, base);
  f.loadPlain(U, base + f.packedSize);
  f.add(SUM, U, T);
  f.sub(DIFFERENCE, U, T);
}
