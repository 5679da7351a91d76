import { the } from './field';
import { ALPHA, INVERSE_S, PLAIN_TWO, PLAIN_TWO_SCALE } from './generated/bls12-377-lane-constants';
import { Fq } from './generated/bls12-377-fq';
import { FqLanes } from './generated/bls12-377-fq-lanes';
import { LanePairs } from './lane-pairs';

/** Pairs of points that share an inversion. */
const BATCH: i32 = 128;

const DENOMINATORS: usize = memory.data(BATCH * 128, 16);
const PRODUCTS: usize = memory.data(BATCH * 128, 16);
// Scratch elements in lanes.
const RUNNING: usize = memory.data(128, 16);
const SUM: usize = memory.data(128, 16);
const DIFFERENCE: usize = memory.data(128, 16);
const T: usize = memory.data(128, 16);
const X: usize = memory.data(128, 16);
const Y: usize = memory.data(128, 16);

/**
 * Points for LanePairs from `count` bases in the prepared form of BLS12-377, (Y - X, Y + X, 2 d X Y) in packed Montgomery form with
 * R' = 2^390, of which the last is not needed. With S = 2 Y and D = 2 X, the sum and the difference of the others,
 *   x_m = (2 + S) / (2 - S), y_m = 2 scale x_m / D, x = x_m / s + alpha, y = y_m / s
 * (see beginEdwardsMap), that is with t = (2 + S) / (s (2 - S) D)
 *   x = t D + alpha, y = 2 scale t.
 * No point in prepared form has 2 - S = 0 (infinity) or D = 0 (infinity, and a point of order 2).
 */
export function loadEdwardsPoints(source: usize, count: i32, target: usize): void {
  const baseBytes: usize = 3 * the<Fq>().packedSize;
  const pointSize: usize = 2 * the<FqLanes>().elementSize;
  for (let from: i32 = 0; from < count; from += 2 * BATCH) {
    loadBatch(source + <usize>from * baseBytes, min(2 * BATCH, count - from), target + <usize>from * pointSize);
  }
}

/**
 * What is packed stands for itself times c = R' / R when its limbs are taken as they are. So do 2, S and D here; denominators have c^2,
 * and t has 1 / c, which the c of D and that of 2 scale cancel.
 */
function loadBatch(source: usize, count: i32, target: usize): void {
  const lanes = the<FqLanes>();
  const n = lanes.size;
  const y = lanes.elementSize;
  const pairs = (count + 1) >> 1;
  lanes.setOne(RUNNING);
  for (let k: i32 = 0; k < pairs; k++) {
    const denominator = DENOMINATORS + <usize>k * n;
    loadSumAndDifference(source, 2 * k, count);
    lanes.sub(T, PLAIN_TWO, SUM);
    lanes.reduce(T, T);
    lanes.mul(denominator, DIFFERENCE, T);
    lanes.copy(PRODUCTS + <usize>k * n, RUNNING);
    lanes.mul(RUNNING, RUNNING, denominator);
  }
  the<LanePairs<FqLanes, Fq>>().invert(RUNNING, RUNNING);
  for (let k = pairs - 1; k >= 0; k--) {
    const first = target + <usize>k * 4 * y;
    loadSumAndDifference(source, 2 * k, count);
    lanes.mul(X, RUNNING, PRODUCTS + <usize>k * n);
    lanes.mul(RUNNING, RUNNING, DENOMINATORS + <usize>k * n);
    lanes.mul(X, X, INVERSE_S);
    lanes.add(T, PLAIN_TWO, SUM);
    lanes.reduce(T, T);
    lanes.mul(T, T, X);
    lanes.mul(X, DIFFERENCE, T);
    lanes.add(X, X, ALPHA);
    lanes.reduce(X, X);
    lanes.mul(Y, T, PLAIN_TWO_SCALE);
    lanes.reduce(Y, Y);
    lanes.storeFirst(first, X);
    lanes.storeFirst(first + y, Y);
    if (2 * k + 1 == count) continue;
    lanes.storeSecond(first + 2 * y, X);
    lanes.storeSecond(first + 3 * y, Y);
  }
}

/** SUM and DIFFERENCE of bases `first` and the next, or `first` twice where it is the last: below 1.02 p, limbs up to 2^51. */
function loadSumAndDifference(source: usize, first: i32, count: i32): void {
  const lanes = the<FqLanes>();
  const packed = the<Fq>().packedSize;
  const a = source + <usize>first * 3 * packed;
  const b = first + 1 < count ? a + 3 * packed : a;
  lanes.loadPlain(X, a, b);
  lanes.loadPlain(Y, a + packed, b + packed);
  lanes.add(SUM, Y, X);
  lanes.sub(DIFFERENCE, Y, X);
}
