import { the } from '../field/field';
import { ALPHA, INVERSE_S, PLAIN_TWO, PLAIN_TWO_SCALE } from '../generated/bls12-377-constants';
import { Fq } from '../generated/bls12-377-fq';

/** Points that share an inversion. */
const BATCH: i32 = 256;

const DENOMINATORS: usize = memory.data(BATCH * 56);
const PRODUCTS: usize = memory.data(BATCH * 56);
// Scratch elements.
const RUNNING: usize = memory.data(56);
const SUM: usize = memory.data(56);
const DIFFERENCE: usize = memory.data(56);
const T: usize = memory.data(56);
const U: usize = memory.data(56);

/**
 * Points for AffinePairs from `count` bases in the prepared form of BLS12-377, (Y - X, Y + X, 2 d X Y) in packed Montgomery form with
 * R' = 2^390, of which the last is not needed. With S = 2 Y and D = 2 X, the sum and the difference of the others,
 *   x_m = (2 + S) / (2 - S), y_m = 2 scale x_m / D, x = x_m / s + alpha, y = y_m / s
 * (see beginEdwardsMap), that is with t = (2 + S) / (s (2 - S) D)
 *   x = t D + alpha, y = 2 scale t.
 * No point in prepared form has 2 - S = 0 (infinity) or D = 0 (infinity, and a point of order 2).
 */
export function loadEdwardsPoints(source: usize, count: i32, target: usize): void {
  const baseBytes: usize = 3 * the<Fq>().packedSize;
  const pointSize: usize = 2 * the<Fq>().size;
  for (let from: i32 = 0; from < count; from += BATCH) {
    loadBatch(source + <usize>from * baseBytes, min(BATCH, count - from), target + <usize>from * pointSize);
  }
}

/**
 * What is packed stands for itself times c = R' / R when its limbs are taken as they are. So do 2, S and D here; denominators have c^2,
 * and t has 1 / c, which the c of D and that of 2 scale cancel.
 */
function loadBatch(source: usize, count: i32, target: usize): void {
  const f = the<Fq>();
  const n = f.size;
  f.setOne(RUNNING);
  for (let k: i32 = 0; k < count; k++) {
    const denominator = DENOMINATORS + <usize>k * n;
    loadSumAndDifference(source, k);
    f.sub(T, PLAIN_TWO, SUM);
    f.mul(denominator, DIFFERENCE, T);
    f.copy(PRODUCTS + <usize>k * n, RUNNING);
    f.mul(RUNNING, RUNNING, denominator);
  }
  f.copy(T, RUNNING);
  f.invert(RUNNING, T);
  for (let k = count - 1; k >= 0; k--) {
    const x = target + <usize>k * 2 * n;
    loadSumAndDifference(source, k);
    f.mul(T, RUNNING, PRODUCTS + <usize>k * n);
    f.mul(RUNNING, RUNNING, DENOMINATORS + <usize>k * n);
    f.mul(T, T, INVERSE_S);
    f.add(U, PLAIN_TWO, SUM);
    f.mul(T, T, U);
    f.mul(U, T, DIFFERENCE);
    f.add(x, U, ALPHA);
    f.mul(x + n, T, PLAIN_TWO_SCALE);
  }
}

/** SUM and DIFFERENCE of base k. */
function loadSumAndDifference(source: usize, k: i32): void {
  const f = the<Fq>();
  const base = source + <usize>k * 3 * f.packedSize;
  f.loadPlain(T, base);
  f.loadPlain(U, base + f.packedSize);
  f.add(SUM, U, T);
  f.sub(DIFFERENCE, U, T);
}
