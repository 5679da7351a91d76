import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { Fq12 } from '../field/fq12';
import { Weierstrass, ZeroA } from '../curve/weierstrass';
import { EXTENDED } from '../generated/scratch';
import { CANONICAL, isInfinity, loadChecked, POINT } from '../prepare/prepare';
import { finalExponentiation } from './final-exponentiation';
import { millerLoop, Pair } from './miller-loop';

// A scratch element of Fq12, an image under the endomorphism, and scratch elements of Fq.
const PRODUCT: usize = memory.data(6 * EXTENDED);
const IMAGE: usize = memory.data(2 * EXTENDED);
const INVERSE: usize = memory.data(EXTENDED);
const FACTOR: usize = memory.data(EXTENDED);

/** Bytes of a weight: two integers of 64 bits. */
const WEIGHT_BYTES: usize = 16;

/**
 * Whether the product of the pairings e(w_i P_i, Q_i) is 1, and all Q_i are in G2. Weight i is a + b lambda, where a
 * and b are the integers of 64 bits at `weights`, and lambda is what (x, y) -> (g1Beta x, y) multiplies G1 by. The P_i
 * must be in G1, the Q_i on any affine points: Miller's loop ends with multiples that tell whether they are in G2.
 * Arguments and results otherwise as of `productIsOne`.
 */
export function batchIsOne<Base, Constants, Family>(
  g1: usize,
  g2: usize,
  weights: usize,
  count: i32,
  pairs: usize,
): i32 {
  const g1Bytes: usize = 2 * the<Base>().packedSize;
  const g2Bytes: usize = 2 * the<Fq2<Base>>().packedSize;
  const at = the<Pair<Base>>();
  let end = pairs;
  for (let i: i32 = 0; i < count; i++) {
    const p = g1 + <usize>i * g1Bytes;
    const q = g2 + <usize>i * g2Bytes;
    let finite = !isInfinity(q, g2Bytes);
    if (finite) {
      if (!loadChecked<Fq2<Base>, ZeroA>(q, CANONICAL, the<Constants>().g2B)) return -1 - i;
      memory.copy(end + at.q, POINT, 2 * the<Fq2<Base>>().size);
    }
    if (!isInfinity(p, g1Bytes)) {
      if (!loadChecked<Base, ZeroA>(p, CANONICAL, the<Constants>().g1B)) return -1 - i;
      multiplyPoint<Base, Constants>(end + at.t, weights + <usize>i * WEIGHT_BYTES);
      if (the<Weierstrass<Base, ZeroA>>().isIdentity(end + at.t)) finite = false;
    } else finite = false;
    if (finite) end += at.size;
  }
  normalize<Base>(pairs, end);
  millerLoop<Base, Constants, Family>(PRODUCT, pairs, i32((end - pairs) / at.size));
  for (let pair = pairs; pair < end; pair += at.size) if (!the<Family>().hasEndedInG2(pair)) return 0;
  finalExponentiation<Base, Constants, Family>(PRODUCT, PRODUCT);
  return i32(the<Fq12<Base, Constants>>().isOne(PRODUCT));
}

/** sum = (a + b lambda) POINT: half of the doublings that a factor of 128 bits takes. */
function multiplyPoint<Base, Constants>(sum: usize, weight: usize): void {
  const f = the<Base>();
  const group = the<Weierstrass<Base, ZeroA>>();
  const a = load<u64>(weight);
  const b = load<u64>(weight, 8);
  f.mul(IMAGE, POINT, the<Constants>().g1Beta);
  f.copy(IMAGE + f.size, POINT + f.size);
  group.setIdentity(sum);
  for (let bit = 63 - i32(clz(a | b)); bit >= 0; bit--) {
    group.dbl(sum, sum);
    if ((a >> bit) & 1) group.addBase(sum, sum, POINT, false);
    if ((b >> bit) & 1) group.addBase(sum, sum, IMAGE, false);
  }
}

/**
 * Writes -x and y of each pair's finite sum, which is where its T will be, to where its P is: with one inversion for
 * all (Montgomery's trick).
 */
function normalize<Base>(pairs: usize, end: usize): void {
  const f = the<Base>();
  const n = f.size;
  const at = the<Pair<Base>>();
  // ZZZ is the fourth element of a sum; the product of all before it is kept behind it.
  f.setOne(INVERSE);
  for (let pair = pairs; pair < end; pair += at.size) {
    const sum = pair + at.t;
    f.copy(sum + 4 * n, INVERSE);
    f.mul(INVERSE, INVERSE, sum + 3 * n);
  }
  f.invert(INVERSE, INVERSE);
  for (let pair = end - at.size; pair >= pairs; pair -= at.size) {
    const sum = pair + at.t;
    f.mul(FACTOR, INVERSE, sum + 4 * n);
    f.mul(INVERSE, INVERSE, sum + 3 * n);
    f.mul(pair + n, sum + n, FACTOR);
    f.mul(FACTOR, FACTOR, sum + 2 * n);
    f.sqr(FACTOR, FACTOR);
    f.mul(pair, sum, FACTOR);
    f.neg(pair, pair);
  }
}
