import { the } from '../field/field';
import { shiftAndAdd } from './msm';
import { EXTENDED } from '../generated/scratch';

// Scratch sums and a scratch base, with room for G2. On the Edwards form a base has the size of a sum.
const SUM: usize = memory.data(4 * EXTENDED);
const TERM: usize = memory.data(4 * EXTENDED);
const BASE: usize = memory.data(4 * EXTENDED);

/**
 * The affine point sum 2^(c w) S_w of `count` window sums of the group G, each four packed coordinates, lowest window
 * first. O converts it to boundary bytes.
 */
export function reduceWindows<G, O>(sums: usize, count: i32, windowBits: u32, target: usize): void {
  const group = the<G>();
  group.setIdentity(SUM);
  for (let w = count - 1; w >= 0; w--) {
    group.loadSum(TERM, sums + <usize>w * group.packedSumSize);
    shiftAndAdd<G>(SUM, TERM, windowBits);
  }
  the<O>().storeAffine(target, SUM);
}

/**
 * The affine point sum k_i P_i of `count` affine points, by double-and-add with the doublings shared (Straus, "Addition
 * chains of vectors", 1964). `scalars` is the address of scalars, whose size the class S has, or 0 if every k_i is 1.
 */
export function combine<G, S>(points: usize, scalars: usize, count: i32, target: usize): void {
  const group = the<G>();
  group.setIdentity(SUM);
  if (scalars == 0) {
    for (let i: i32 = 0; i < count; i++) addPoint<G>(points, i);
  } else {
    for (let bit: i32 = 8 * the<S>().size - 1; bit >= 0; bit--) {
      group.dbl(SUM, SUM);
      const word = scalars + (<usize>(bit >> 5) << 2);
      for (let i: i32 = 0; i < count; i++) {
        if ((load<u32>(word + <usize>i * the<S>().size) >> (bit & 31)) & 1) addPoint<G>(points, i);
      }
    }
  }
  group.storeAffine(target, SUM);
}

/** SUM += P_i. */
function addPoint<G>(points: usize, i: i32): void {
  const group = the<G>();
  if (group.loadAffine(BASE, points + <usize>i * group.boundarySize)) group.addAffine(SUM, SUM, BASE);
}
