import { the } from '../field/field';
import { finalExponentiation } from './final-exponentiation';
import { Fq2 } from '../field/fq2';
import { Fq12 } from '../field/fq12';
import { EXTENDED } from '../generated/scratch';
import { millerLoop, Pair } from './miller-loop';
import { CANONICAL, isInfinity, loadChecked, POINT } from '../prepare/prepare';
import { ZeroA } from '../curve/weierstrass';

// The functions are generic over Base, the field of the coordinates of G1; Constants, the numbers of the pairing; and
// Family, the parts that differ between the families of curves (bn.ts, bls12.ts).

// A scratch element of Fq12.
const PRODUCT: usize = memory.data(6 * EXTENDED);

/** Bytes of a pair while a product is computed. */
export function pairSize<Base>(): usize {
  return the<Pair<Base>>().size;
}

/**
 * Whether the product of the pairings of `count` points of G1 at `g1` and as many of G2 at `g2` is 1. Points are
 * affine, in boundary bytes. Returns 1 or 0, or -1 - i if a point of pair i has a coordinate that is not below p or is
 * not on its curve. A pair with infinity counts as 1. The points of both groups must be in the subgroups of order r.
 * `pairs` is the address of room for `count` pairs.
 */
export function productIsOne<Base, Constants, Family>(g1: usize, g2: usize, count: i32, pairs: usize): i32 {
  const found = computeProduct<Base, Constants, Family>(g1, g2, count, pairs);
  if (found < 0) return found;
  return i32(the<Fq12<Base, Constants>>().isOne(PRODUCT));
}

/**
 * Stores what `productIsOne` compares with 1: the product of the reduced pairings, to a power that depends on the
 * family. At `target` are 12 canonical coefficients: c0 and c1 of the coefficients of 1, w^2, w^4, w, w^3, w^5. Returns
 * 0, or -1 - i as `productIsOne` does.
 */
export function storeProduct<Base, Constants, Family>(
  g1: usize,
  g2: usize,
  count: i32,
  pairs: usize,
  target: usize,
): i32 {
  const found = computeProduct<Base, Constants, Family>(g1, g2, count, pairs);
  if (found < 0) return found;
  const fq2 = the<Fq2<Base>>();
  for (let i: usize = 0; i < 6; i++) fq2.storeCanonical(target + i * fq2.packedSize, PRODUCT + i * fq2.size);
  return 0;
}

/** Computes the product in PRODUCT. Returns 0, or -1 - i as `productIsOne` does. */
function computeProduct<Base, Constants, Family>(g1: usize, g2: usize, count: i32, pairs: usize): i32 {
  const fq = the<Base>();
  const g1Bytes: usize = 2 * fq.packedSize;
  const g2Bytes: usize = 2 * the<Fq2<Base>>().packedSize;
  let finite: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const p = g1 + <usize>i * g1Bytes;
    const q = g2 + <usize>i * g2Bytes;
    const pair = pairs + <usize>finite * the<Pair<Base>>().size;
    const trivial = isInfinity(p, g1Bytes) || isInfinity(q, g2Bytes);
    if (!isInfinity(p, g1Bytes)) {
      if (!loadChecked<Base, ZeroA>(p, CANONICAL, the<Constants>().g1B)) return -1 - i;
      fq.neg(pair, POINT);
      fq.copy(pair + fq.size, POINT + fq.size);
    }
    if (!isInfinity(q, g2Bytes)) {
      if (!loadChecked<Fq2<Base>, ZeroA>(q, CANONICAL, the<Constants>().g2B)) return -1 - i;
      memory.copy(pair + the<Pair<Base>>().q, POINT, 2 * the<Fq2<Base>>().size);
    }
    if (!trivial) finite++;
  }
  millerLoop<Base, Constants, Family>(PRODUCT, pairs, finite);
  finalExponentiation<Base, Constants, Family>(PRODUCT, PRODUCT);
  return 0;
}

/**
 * Whether an affine point in boundary bytes is infinity, or has coordinates below p and lies on the curve, in the
 * subgroup of order r.
 */
export function isInG1<Base, Constants, Family>(point: usize): bool {
  if (isInfinity(point, 2 * the<Base>().packedSize)) return true;
  return loadChecked<Base, ZeroA>(point, CANONICAL, the<Constants>().g1B) && the<Family>().isInG1(POINT);
}

/**
 * Whether an affine point in boundary bytes is infinity, or has coordinates below p and lies on the twist, in the
 * subgroup of order r.
 */
export function isInG2<Base, Constants, Family>(point: usize): bool {
  if (isInfinity(point, 2 * the<Fq2<Base>>().packedSize)) return true;
  return loadChecked<Fq2<Base>, ZeroA>(point, CANONICAL, the<Constants>().g2B) && the<Family>().isInG2(POINT);
}
