import { beginEdwardsMap, finishEdwardsMap } from '../curve/edwards-map';
import { the } from '../field/field';
import { ELEMENT } from '../generated/scratch';
import { DOUBLING, NOTE_SIZE } from './pair-tree';

// Precomputed multiples 2^m P of bases, by doublings in place. The arithmetic A is the pair tree's (AffinePairs,
// LanePairs).

const INVERSE: usize = memory.data(ELEMENT);

/**
 * Doubles up to BATCH points, which share one inversion. False if twice one of them is infinity, which has no affine
 * form; then nothing has been changed. `scratch` has `pairScratchSize` bytes.
 */
export function doublePoints<A>(points: usize, count: i32, scratch: usize): bool {
  const arithmetic = the<A>();
  for (let k: i32 = 0; k < count; k++) {
    const point = points + <usize>k * arithmetic.pointSize;
    if (arithmetic.hasOrderTwo(point)) return false;
    const note = scratch + <usize>k * NOTE_SIZE;
    store<u32>(note, <u32>point);
    store<u32>(note, <u32>point, 4);
    store<u32>(note, <u32>point | DOUBLING, 8);
  }
  arithmetic.add(scratch, count);
  return true;
}

/** Writes points over F in the prepared form x, y. False if one has order 2: the pair tree takes y = 0 for infinity. */
export function storeMultiples<A, F>(source: usize, count: i32, target: usize): bool {
  const arithmetic = the<A>();
  const f = the<F>();
  for (let k: i32 = 0; k < count; k++) {
    const point = source + <usize>k * arithmetic.pointSize;
    if (arithmetic.hasOrderTwo(point)) return false;
    const base = arithmetic.base(point);
    const to = target + <usize>k * 2 * f.packedSize;
    f.storePacked(to, base);
    f.storePacked(to + f.packedSize, base + f.size);
  }
  return true;
}

/**
 * Writes points over F in the prepared Edwards form, with the constants of E. All share one inversion. False if one is
 * exceptional. `scratch` has room for 4 elements for each point and one more.
 */
export function storeEdwardsMultiples<A, F, E>(source: usize, count: i32, target: usize, scratch: usize): bool {
  const arithmetic = the<A>();
  const f = the<F>();
  const n = f.size;
  // One record for each point: x_m, y_m, denominator, and the product of the denominators before it.
  const product = scratch;
  f.setOne(product);
  const records = scratch + n;
  for (let k: i32 = 0; k < count; k++) {
    const record = records + <usize>k * 4 * n;
    const base = arithmetic.base(source + <usize>k * arithmetic.pointSize);
    if (!beginEdwardsMap<F, E>(record, record + n, record + 2 * n, base)) return false;
    f.copy(record + 3 * n, product);
    f.mul(product, product, record + 2 * n);
  }
  f.invert(INVERSE, product);
  for (let k = count - 1; k >= 0; k--) {
    const record = records + <usize>k * 4 * n;
    f.mul(record + 3 * n, record + 3 * n, INVERSE);
    f.mul(INVERSE, INVERSE, record + 2 * n);
    finishEdwardsMap<F, E>(target + <usize>k * 3 * f.packedSize, record, record + n, record + 3 * n);
  }
  return true;
}
