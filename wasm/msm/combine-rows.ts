import { the } from '../field/field';
import { EXTENDED } from '../generated/scratch';
import { shiftAndAdd } from './msm';

// Scratch sums, with room for G2.
const SUM: usize = memory.data(4 * EXTENDED);
const TERM: usize = memory.data(4 * EXTENDED);

/** Bytes that a row's sum takes in the scratch of `combineRows`. */
export const ROW_SIZE: i32 = 4 * EXTENDED;

/**
 * The affine point sum g_t R_t of `rows` rows: R_t = sum 2^k S_k over the `bits` packed bit sums of row t, lowest
 * first, and g_t is u64 number t at `weights`, of which the lowest `weightBits` bits count. O converts the point to
 * boundary bytes. The scratch has ROW_SIZE bytes a row.
 */
export function combineRows<G, O>(
  sums: usize,
  rows: i32,
  bits: i32,
  weights: usize,
  weightBits: i32,
  scratch: usize,
  target: usize,
): void {
  const group = the<G>();
  for (let row: i32 = 0; row < rows; row++) {
    group.setIdentity(SUM);
    for (let k = bits - 1; k >= 0; k--) {
      group.loadSum(TERM, sums + <usize>(row * bits + k) * group.packedSumSize);
      shiftAndAdd<G>(SUM, TERM, 1);
    }
    memory.copy(scratch + <usize>row * ROW_SIZE, SUM, ROW_SIZE);
  }
  group.setIdentity(SUM);
  for (let bit = weightBits - 1; bit >= 0; bit--) {
    group.dbl(SUM, SUM);
    for (let row: i32 = 0; row < rows; row++) {
      if ((load<u64>(weights + (<usize>row << 3)) >> bit) & 1) group.add(SUM, SUM, scratch + <usize>row * ROW_SIZE);
    }
  }
  the<O>().storeAffine(target, SUM);
}
