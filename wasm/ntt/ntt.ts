import { the } from '../field/field';
import { SCALAR_VECTOR, SPREAD_VECTOR } from '../generated/scratch';

/**
 * Number-theoretic transforms over a field F. Its elements are in vectors of F.lanes elements: with two lanes, elements
 * 2 k and 2 k + 1 of the data are in vector k. A butterfly computes x + t y and x - t y. Since it multiplies first,
 * bounds grow slowly from stage to stage, and nothing is reduced before the end of a transform; the generated modules
 * of F state the bounds.
 *
 * `forwardStages` goes from natural to bit-reversed order with one factor for every block, as in Longa and Naehrig,
 * "Speeding up the number theoretic transform" (2016), algorithm 1, but cyclic. A polynomial modulo x^n - 1 is reduced
 * modulo x^(n/2) - 1 and x^(n/2) + 1, and so on: block b of a stage goes from x^(2 half) - t_b^2 to x^half - t_b and
 * x^half + t_b. The factor t_b is exp(i pi rev(b)) in the complex analogue, where rev(b) is the binary fraction 0.b0 b1
 * b2 .. of b's bits from the lowest. It does not depend on the size, so one table serves every size.
 *
 * `cosetStages` goes from bit-reversed to natural order by decimation in time: p(x) = even(x^2) + x odd(x^2). It
 * evaluates at the odd powers of g^-1, where g is a primitive 2n-th root of unity, so the shift to that coset needs no
 * extra product. For butterfly j of every block the stage of `half` uses factor j, which is the odd power 2 j + 1 of a
 * primitive (4 half)-th root.
 *
 * It uses g^-1 rather than g because the forward stages, applied to the values of a polynomial, give n times its
 * coefficient c_-i (indices modulo n) where coefficient c_i should be. At a point with x^n = -1, the sum of c_-i x^i is
 * c_0 minus the sum of c_i x^-i over i > 0.
 *
 * A table has the factors in Montgomery form. The first ones are also stored spread into rows, which makes products
 * cheaper and the table larger. The table of `forwardStages` has t_b at b, the table of `cosetStages` has factor j of a
 * stage at half + j.
 */

// Scratch vectors of elements.
const TERM: usize = memory.data(SCALAR_VECTOR, 16);
const FACTOR: usize = memory.data(SCALAR_VECTOR, 16);
const SPREAD: usize = memory.data(2 * SPREAD_VECTOR, 16);

/** Bytes of an element in the data. */
export function elementSize<F>(): usize {
  return the<F>().size / the<F>().lanes;
}

/** Bytes of a spread factor in a table. */
export function spreadSize<F>(): usize {
  return the<F>().spreadSize / the<F>().lanes;
}

/** Loads elements from..to of the data from canonical integers of 32 bytes; from and to are multiples of F.lanes. */
export function loadElements<F>(source: usize, from: i32, to: i32, data: usize): void {
  const f = the<F>();
  for (let i = from; i < to; i += f.lanes) f.load(vector<F>(data, i), source + ((<usize>(i - from)) << 5));
}

/** Stores elements from..to of the data as canonical bytes. The data are used as scratch and are lost. */
export function storeElements<F>(data: usize, from: i32, to: i32, target: usize): void {
  const f = the<F>();
  for (let i = from; i < to; i += f.lanes) f.store(target + ((<usize>(i - from)) << 5), vector<F>(data, i));
}

/**
 * Stores 2^logN elements, which are in bit-reversed order, as canonical bytes in natural order. It works by tiles of q
 * times q elements, q = 2^bits. A tile consists of runs of neighbours in both orders, and stays in the cache. Element h
 * n / q + m q + l in natural order, which belongs to tile m, is in reversed order the one at rev(l) n / q + rev(m) q +
 * rev(h). Run h of tiles from..to goes to target + h stride.
 */
export function storeReversed<F>(
  data: usize,
  logN: i32,
  bits: i32,
  from: i32,
  to: i32,
  target: usize,
  stride: usize,
): void {
  const f = the<F>();
  const q = 1 << bits;
  const far = logN - bits;
  for (let m = from; m < to; m++) {
    for (let h = 0; h < q; h++) {
      const source = (reversed(m, far - bits) << bits) + reversed(h, bits);
      const at = target + <usize>h * stride + ((<usize>(m - from)) << (bits + 5));
      for (let l = 0; l < q; l += f.lanes) {
        const x = element<F>(data, (reversed(l, bits) << far) + source);
        const y = element<F>(data, (reversed(l + 1, bits) << far) + source);
        f.gather(TERM, x, y);
        f.store(at + ((<usize>l) << 5), TERM);
      }
    }
  }
}

/**
 * Multiplies the even elements of from..to by the canonical integer at `factors`, the odd ones by the next; from and to
 * are even.
 */
export function scaleElements<F>(data: usize, factors: usize, from: i32, to: i32): void {
  const f = the<F>();
  for (let i: i32 = 0; i < 2; i += f.lanes) {
    f.loadFactor(FACTOR, factors + ((<usize>i) << 5));
    f.spread(spreadVector<F>(SPREAD, i), FACTOR);
  }
  for (let i = from; i < to; i += f.lanes) {
    const at = vector<F>(data, i);
    f.scale(at, at, spreadVector<F>(SPREAD, i & 1));
  }
}

/** Loads two factors from canonical integers. */
export function loadFactors<F>(source: usize, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < 2; i += f.lanes) f.loadFactor(vector<F>(target, i), source + ((<usize>i) << 5));
}

/**
 * Sets factors from..to of the target to the source's factors times the canonical integer at `by`, which a copy of it
 * must follow.
 */
export function multiplyFactors<F>(source: usize, by: usize, from: i32, to: i32, target: usize): void {
  const f = the<F>();
  f.loadFactor(FACTOR, by);
  for (let i = from; i < to; i += f.lanes) f.mulFactors(vector<F>(target, i), vector<F>(source, i), FACTOR);
}

/** Spreads factors from..to into rows. */
export function spreadFactors<F>(factors: usize, from: i32, to: i32, target: usize): void {
  const f = the<F>();
  for (let i = from; i < to; i += f.lanes) f.spread(spreadVector<F>(target, i), vector<F>(factors, i));
}

/**
 * The stages half = first, first / 2, .. last, on the butterflies from..to of each; from and to are even, n >= 4.
 * Butterfly k combines element 2 k - k mod half and the one at a distance of `half` after it. With first = n / 2, last
 * = 1 and the butterflies 0..n/2 it is a whole transform: from coefficients to the values at w^0, w^1, ..
 *
 * @param spread the first `spreadCount` factors, spread.
 */
export function forwardStages<F>(
  data: usize,
  n: i32,
  factors: usize,
  spread: usize,
  spreadCount: i32,
  first: i32,
  last: i32,
  from: i32,
  to: i32,
): void {
  for (let half = first; half >= last; half >>= 1) {
    if (half < the<F>().lanes) forwardWithin<F>(data, factors, spread, spreadCount, from, to);
    else forwardStage<F>(data, n, factors, spread, spreadCount, half, from, to);
  }
}

function forwardStage<F>(
  data: usize,
  n: i32,
  factors: usize,
  spread: usize,
  spreadCount: i32,
  half: i32,
  from: i32,
  to: i32,
): void {
  const f = the<F>();
  const distance = vector<F>(0, half);
  // In a stage without products the bound of the first block's elements doubles. There are three such stages at most.
  const plain = n <= 8 * half;
  let block = from / half;
  for (let k = from; k < to; block++) {
    const end = min(to, (block + 1) * half);
    let x = vector<F>(data, k + block * half);
    const stop = vector<F>(data, end + block * half);
    k = end;
    if (block == 0 && plain) {
      for (; x < stop; x += f.size) f.butterfly(x, x + distance);
    } else if (block < spreadCount) {
      const factor = spreadFactor<F>(spread, block);
      for (; x < stop; x += f.size) f.butterflySpreadBoth(x, x + distance, factor);
    } else {
      const factor = element<F>(factors, block);
      for (; x < stop; x += f.size) f.butterflyMontgomeryBoth(x, x + distance, factor);
    }
  }
}

/**
 * The last stage, if its butterflies combine the lanes of one vector: two at a time, with the factors of two blocks.
 */
function forwardWithin<F>(
  data: usize,
  factors: usize,
  spread: usize,
  spreadCount: i32,
  from: i32,
  to: i32,
): void {
  const f = the<F>();
  for (let k = from; k < to; k += 2) {
    const x = vector<F>(data, 2 * k);
    const y = x + f.size;
    f.exchange(x, y);
    if (k < spreadCount) f.butterflySpread(x, y, spreadVector<F>(spread, k));
    else f.butterflyMontgomery(x, y, vector<F>(factors, k));
    f.exchange(x, y);
  }
}

/**
 * The stages half = first, 2 first, .. last on the butterflies from..to of each, both even, n >= 4; butterflies as in
 * `forwardStages`.
 */
export function cosetStages<F>(
  data: usize,
  factors: usize,
  spread: usize,
  spreadCount: i32,
  first: i32,
  last: i32,
  from: i32,
  to: i32,
): void {
  for (let half = first; half <= last; half <<= 1) {
    if (half < the<F>().lanes) cosetWithin<F>(data, spread, from, to);
    else cosetStage<F>(data, factors, spread, spreadCount, half, from, to);
  }
}

function cosetStage<F>(
  data: usize,
  factors: usize,
  spread: usize,
  spreadCount: i32,
  half: i32,
  from: i32,
  to: i32,
): void {
  const f = the<F>();
  const distance = vector<F>(0, half);
  let k = from;
  while (k < to) {
    const block = k / half;
    const end = min(to, (block + 1) * half);
    let x = vector<F>(data, k + block * half);
    const stop = vector<F>(data, end + block * half);
    const j = half + k - block * half;
    k = end;
    if (2 * half <= spreadCount) {
      let factor = spreadVector<F>(spread, j);
      for (; x < stop; x += f.size, factor += f.spreadSize) f.butterflySpread(x, x + distance, factor);
    } else {
      let factor = vector<F>(factors, j);
      for (; x < stop; x += f.size, factor += f.size) f.butterflyMontgomery(x, x + distance, factor);
    }
  }
}

/** The first stage, if its butterflies combine the lanes of one vector: two at a time, all with factor 0. */
function cosetWithin<F>(data: usize, spread: usize, from: i32, to: i32): void {
  const f = the<F>();
  const factor = spreadFactor<F>(spread, 1);
  for (let k = from; k < to; k += 2) {
    const x = vector<F>(data, 2 * k);
    const y = x + f.size;
    f.exchange(x, y);
    f.butterflySpreadBoth(x, y, factor);
    f.exchange(x, y);
  }
}

/** The vector of element i, a multiple of F.lanes. */
// @ts-ignore: decorator
@inline
function vector<F>(data: usize, i: i32): usize {
  return data + <usize>(i / the<F>().lanes) * the<F>().size;
}

/** Element i in its lane. */
// @ts-ignore: decorator
@inline
function element<F>(data: usize, i: i32): usize {
  return vector<F>(data, i) + ((<usize>(i % the<F>().lanes)) << 3);
}

/** The vector of spread factor i, a multiple of F.lanes. */
// @ts-ignore: decorator
@inline
function spreadVector<F>(spread: usize, i: i32): usize {
  return spread + <usize>(i / the<F>().lanes) * the<F>().spreadSize;
}

/** Spread factor i in its lane. */
// @ts-ignore: decorator
@inline
function spreadFactor<F>(spread: usize, i: i32): usize {
  return spreadVector<F>(spread, i) + ((<usize>(i % the<F>().lanes)) << 3);
}

/** The low `bits` bits of x in reverse order. */
// @ts-ignore: decorator
@inline
function reversed(x: i32, bits: i32): i32 {
  let v = ((<u32>x >> 1) & 0x55555555) | ((<u32>x & 0x55555555) << 1);
  v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  return <i32>(<u64>bswap<u32>(v) >> (32 - bits));
}

/** target[i] = a[i] b[i], all canonical bytes. The arrays have room for a multiple of F.lanes elements. */
export function multiplyElements<F>(a: usize, b: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i += f.lanes) {
    const at = (<usize>i) << 5;
    loadProduct<F>(a + at, b + at);
    f.storePlain(target + at, TERM);
  }
}

/** target[i] = a[i] b[i] - c[i], all canonical bytes. The arrays have room for a multiple of F.lanes elements. */
export function multiplySubtract<F>(a: usize, b: usize, c: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i += f.lanes) {
    const at = (<usize>i) << 5;
    loadProduct<F>(a + at, b + at);
    f.load(FACTOR, c + at);
    f.sub(TERM, TERM, FACTOR);
    f.storePlain(target + at, TERM);
  }
}

/** TERM = a b of canonical integers. */
// @ts-ignore: decorator
@inline
function loadProduct<F>(a: usize, b: usize): void {
  const f = the<F>();
  f.load(TERM, a);
  f.toMontgomery(TERM, TERM);
  f.load(FACTOR, b);
  f.mul(TERM, TERM, FACTOR);
}
