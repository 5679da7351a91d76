import { the } from '../field/field';
import { shiftAndAdd } from './msm';
import { Weierstrass } from '../curve/weierstrass';

// Scratch sums and a scratch base, with room for those of G2.
const SUM: usize = memory.data(4 * 80);
const TERM: usize = memory.data(4 * 80);
const BASE: usize = memory.data(2 * 80);

/** The affine point sum 2^(c w) S_w of `count` window sums, each four packed coordinates, lowest window first. */
export function reduceWindows<G>(sums: usize, count: i32, sumBytes: usize, windowBits: u32, target: usize): void {
  const group = the<G>();
  group.setIdentity(SUM);
  for (let w = count - 1; w >= 0; w--) {
    group.loadSum(TERM, sums + <usize>w * sumBytes);
    shiftAndAdd<G>(SUM, TERM, windowBits);
  }
  group.storeAffine(target, SUM);
}

/**
 * The affine point sum k_i P_i of `count` affine points, by double-and-add with the doublings shared (Straus, "Addition chains of
 * vectors", 1964); `scalars` of 32 bytes, or 0 for all ones.
 */
export function combine<F>(points: usize, scalars: usize, count: i32, target: usize): void {
  const group = the<Weierstrass<F>>();
  group.setIdentity(SUM);
  if (scalars == 0) {
    for (let i: i32 = 0; i < count; i++) addPoint<F>(points, i);
  } else {
    for (let bit: i32 = 255; bit >= 0; bit--) {
      group.dbl(SUM, SUM);
      const word = scalars + (<usize>(bit >> 5) << 2);
      for (let i: i32 = 0; i < count; i++) {
        if ((load<u32>(word + (<usize>i << 5)) >> (bit & 31)) & 1) addPoint<F>(points, i);
      }
    }
  }
  group.storeAffine(target, SUM);
}

/** SUM = SUM + P_i. */
function addPoint<F>(points: usize, i: i32): void {
  const group = the<Weierstrass<F>>();
  if (group.loadAffine(BASE, points + <usize>i * 2 * the<F>().packedSize)) group.addBase(SUM, SUM, BASE, false);
}
