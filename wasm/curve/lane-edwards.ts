import { the } from '../field/field';
import { ELEMENT_LANES } from '../generated/scratch';
import { LaneInverses } from '../msm/lane-inverses';

/** Pairs of points that share an inversion. */
const BATCH: i32 = 128;

const DENOMINATORS: usize = memory.data(BATCH * ELEMENT_LANES, 16);
const PRODUCTS: usize = memory.data(BATCH * ELEMENT_LANES, 16);
// Scratch elements in lanes.
const RUNNING: usize = memory.data(ELEMENT_LANES, 16);
const SUM: usize = memory.data(ELEMENT_LANES, 16);
const DIFFERENCE: usize = memory.data(ELEMENT_LANES, 16);
const T: usize = memory.data(ELEMENT_LANES, 16);
const X: usize = memory.data(ELEMENT_LANES, 16);
const Y: usize = memory.data(ELEMENT_LANES, 16);

/**
 * Points for LanePairs over L and F from `count` bases in the prepared Edwards form, two at a time, by the formulas in
 * affine-edwards.ts. E has the constants of the Edwards form in lanes. 2 + S and 2 - S, below 1.6 p, are reduced before
 * they are multiplied, because the other operand, D below 1.02 p, is not reduced.
 */
export function loadEdwardsPairs<L, F, E>(source: usize, count: i32, target: usize): void {
  const baseBytes: usize = 3 * the<F>().packedSize;
  const pointSize: usize = 2 * the<L>().elementSize;
  for (let from: i32 = 0; from < count; from += 2 * BATCH) {
    loadBatch<L, F, E>(source + <usize>from * baseBytes, min(2 * BATCH, count - from), target + <usize>from * pointSize);
  }
}

function loadBatch<L, F, E>(source: usize, count: i32, target: usize): void {
  const lanes = the<L>();
  const n = lanes.size;
  const y = lanes.elementSize;
  const pairs = (count + 1) >> 1;
  lanes.setOne(RUNNING);
  for (let k: i32 = 0; k < pairs; k++) {
    const denominator = DENOMINATORS + <usize>k * n;
    loadSumAndDifference<L, F>(source, 2 * k, count);
    lanes.sub(T, the<E>().plainTwo, SUM);
    lanes.reduce(T, T);
    lanes.mul(denominator, DIFFERENCE, T);
    lanes.copy(PRODUCTS + <usize>k * n, RUNNING);
    lanes.mul(RUNNING, RUNNING, denominator);
  }
  the<LaneInverses<L, F>>().invertTwo(RUNNING, RUNNING);
  for (let k = pairs - 1; k >= 0; k--) {
    const first = target + <usize>k * 4 * y;
    loadSumAndDifference<L, F>(source, 2 * k, count);
    lanes.mul(X, RUNNING, PRODUCTS + <usize>k * n);
    lanes.mul(RUNNING, RUNNING, DENOMINATORS + <usize>k * n);
    lanes.mul(X, X, the<E>().inverseS);
    lanes.add(T, the<E>().plainTwo, SUM);
    lanes.reduce(T, T);
    lanes.mul(T, T, X);
    lanes.mul(X, DIFFERENCE, T);
    lanes.add(X, X, the<E>().alpha);
    lanes.reduce(X, X);
    lanes.mul(Y, T, the<E>().plainTwoScale);
    lanes.reduce(Y, Y);
    lanes.storeFirst(first, X);
    lanes.storeFirst(first + y, Y);
    if (2 * k + 1 == count) continue;
    lanes.storeSecond(first + 2 * y, X);
    lanes.storeSecond(first + 3 * y, Y);
  }
}

/**
 * SUM and DIFFERENCE of base `first` and the next one, or twice of `first` if it is the last: below 1.02 p, limbs up to
 * 2^51.
 */
function loadSumAndDifference<L, F>(source: usize, first: i32, count: i32): void {
  const lanes = the<L>();
  const packed = the<F>().packedSize;
  const a = source + <usize>first * 3 * packed;
  const b = first + 1 < count ? a + 3 * packed : a;
  lanes.loadPlain(X, a, b);
  lanes.loadPlain(Y, a + packed, b + packed);
  lanes.add(SUM, Y, X);
  lanes.sub(DIFFERENCE, Y, X);
}
