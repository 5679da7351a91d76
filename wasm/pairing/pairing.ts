import { the } from '../field/field';
import { finalExponentiation } from './final-exponentiation';
import { Fq2 } from '../field/fq2';
import { Fq12 } from '../field/fq12';
import { G1_B, G2_B } from '../generated/bn254-constants';
import { Fq } from '../generated/bn254-fq';
import { millerLoop, Pair } from './miller-loop';
import { isInfinity, loadChecked, POINT } from '../prepare/prepare';
import * as twist from './twist';

/** The encoding of integers below p. */
const CANONICAL: i32 = 0;

// A scratch element of Fq12.
const PRODUCT: usize = memory.data(448);

/** Bytes of a pair while a product is computed. */
export function pairSize(): usize {
  return the<Pair>().size;
}

/**
 * Whether the product of the pairings of `count` points of G1 at `g1` with as many of G2 at `g2`, both affine in boundary bytes, is 1: 1 or
 * 0. Where a point of pair i has a coordinate that is not below p or is off its curve: -1 - i. A pair with infinity counts as 1.
 * The points of G2 are to be in the subgroup of order r. `pairs` is room for `count` pairs.
 */
export function productIsOne(g1: usize, g2: usize, count: i32, pairs: usize): i32 {
  const fq = the<Fq>();
  const g1Bytes: usize = 2 * fq.packedSize;
  const g2Bytes: usize = 2 * the<Fq2>().packedSize;
  let finite: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const p = g1 + <usize>i * g1Bytes;
    const q = g2 + <usize>i * g2Bytes;
    const pair = pairs + <usize>finite * the<Pair>().size;
    const trivial = isInfinity(p, g1Bytes) || isInfinity(q, g2Bytes);
    if (!isInfinity(p, g1Bytes)) {
      if (!loadChecked<Fq>(p, CANONICAL, G1_B)) return -1 - i;
      fq.neg(pair, POINT);
      fq.copy(pair + fq.size, POINT + fq.size);
    }
    if (!isInfinity(q, g2Bytes)) {
      if (!loadChecked<Fq2>(q, CANONICAL, G2_B)) return -1 - i;
      memory.copy(pair + the<Pair>().q, POINT, 2 * the<Fq2>().size);
    }
    if (!trivial) finite++;
  }
  millerLoop(PRODUCT, pairs, finite);
  finalExponentiation(PRODUCT, PRODUCT);
  return i32(the<Fq12>().isOne(PRODUCT));
}

/** Whether an affine point in boundary bytes is infinity, or has coordinates below p and lies on G1's curve, whose order is r. */
export function isInG1(point: usize): bool {
  return isInfinity(point, 2 * the<Fq>().packedSize) || loadChecked<Fq>(point, CANONICAL, G1_B);
}

/** Whether an affine point in boundary bytes is infinity, or has coordinates below p and lies on the twist, in the subgroup of order r. */
export function isInG2(point: usize): bool {
  if (isInfinity(point, 2 * the<Fq2>().packedSize)) return true;
  return loadChecked<Fq2>(point, CANONICAL, G2_B) && twist.isInSubgroup(POINT);
}
