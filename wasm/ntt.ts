import { the } from './field';

/**
 * Number-theoretic transforms with the twiddle factors in bit-reversed order, as in Longa and Naehrig, "Speeding up the number
 * theoretic transform" (2016), algorithms 1 and 2, but cyclic. A polynomial modulo x^n - 1 is reduced modulo x^(n/2) - 1 and x^(n/2) + 1,
 * and so on: block b of a stage goes from x^(2 half) - t^2 to x^half - t and x^half + t with one factor t = t_b for the whole block.
 *
 * t_b = exp(2 pi i rev(b) / 2), rev(b) being the binary fraction 0.b0 b1 b2 .. of b's bits from the lowest: t_0 = 1, t_1 is a
 * primitive 4th root, t_2 and t_3 are 8th roots. So one table serves every size, and is read from its start, in order.
 * 1 / t_b = -t_c, where c is b with all bits below its highest one inverted: it serves both directions as well.
 */

// Scratch elements of Fr.
const TERM: usize = memory.data(48);
const FACTOR: usize = memory.data(48);

/** The elements of `count` canonical integers of 32 bytes, as they are: a transform keeps the form that its input has. */
export function loadElements<F>(source: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) f.loadPlain(target + <usize>i * f.size, source + ((<usize>i) << 5));
}

/** `count` elements, each multiplied by the canonical integer at `factor`, as canonical bytes. */
export function storeElements<F>(source: usize, count: i32, factor: usize, target: usize): void {
  const f = the<F>();
  f.loadCanonical(FACTOR, factor);
  for (let i: i32 = 0; i < count; i++) {
    f.mul(TERM, source + <usize>i * f.size, FACTOR);
    f.storePlain(target + ((<usize>i) << 5), TERM);
  }
}

/** t_0. */
export function startTwiddles<F>(table: usize): void {
  the<F>().setOne(table);
}

/** t_(count + i) = t_i g for i from..to, where count is a power of two and g a primitive (4 count)-th root, in canonical bytes. */
export function extendTwiddles<F>(table: usize, count: i32, g: usize, from: i32, to: i32): void {
  const f = the<F>();
  f.loadCanonical(FACTOR, g);
  for (let i = from; i < to; i++) f.mul(table + <usize>(count + i) * f.size, table + <usize>i * f.size, FACTOR);
}

/**
 * The stages half = first, first / 2, .. last of the transform from natural to bit-reversed order, on the butterflies from..to
 * of each: butterfly k joins elements 2 k - k mod half and half further. With first = n / 2, last = 1 and 0..n/2 that is a
 * whole transform: values at w^0, w^1, .. from coefficients.
 */
export function forwardStages<F>(data: usize, twiddles: usize, first: i32, last: i32, from: i32, to: i32): void {
  for (let half = first; half >= last; half >>= 1) forwardStage<F>(data, twiddles, half, from, to);
}

function forwardStage<F>(data: usize, twiddles: usize, half: i32, from: i32, to: i32): void {
  const f = the<F>();
  const distance = <usize>half * f.size;
  let k = from;
  while (k < to) {
    const block = k / half;
    const end = min(to, (block + 1) * half);
    const twiddle = twiddles + <usize>block * f.size;
    let low = data + <usize>(k + block * half) * f.size;
    for (; k < end; k++) {
      if (block == 0) f.copy(TERM, low + distance);
      else f.mul(TERM, low + distance, twiddle);
      f.sub(low + distance, low, TERM);
      f.add(low, low, TERM);
      low += f.size;
    }
  }
}

/**
 * The stages half = first, 2 first, .. last of the transform from bit-reversed to natural order with w^-1 for w: the stages of
 * `forwardStages` undone one by one, but for the division by 2 in each.
 */
export function inverseStages<F>(data: usize, twiddles: usize, first: i32, last: i32, from: i32, to: i32): void {
  for (let half = first; half <= last; half <<= 1) inverseStage<F>(data, twiddles, half, from, to);
}

function inverseStage<F>(data: usize, twiddles: usize, half: i32, from: i32, to: i32): void {
  const f = the<F>();
  const distance = <usize>half * f.size;
  let k = from;
  while (k < to) {
    const block = k / half;
    const end = min(to, (block + 1) * half);
    const twiddle = twiddles + <usize>reflected(block) * f.size;
    let low = data + <usize>(k + block * half) * f.size;
    for (; k < end; k++) {
      const high = low + distance;
      if (block == 0) {
        f.sub(TERM, low, high);
        f.add(low, low, high);
        f.copy(high, TERM);
      } else {
        f.sub(TERM, high, low);
        f.add(low, low, high);
        f.mul(high, TERM, twiddle);
      }
      low += f.size;
    }
  }
}

/**
 * Between a forward and an inverse run of stages: multiplies element i by t_reflected(i), for i from..to. After the forward stages element
 * i is n times coefficient -rev(i) of the polynomial that has the data as its values; reflected(i) stands for -rev(i) and
 * t for a power of w_2n. The inverse stages then give n times its values at w_2n w_n^j.
 */
export function shiftElements<F>(data: usize, twiddles: usize, from: i32, to: i32): void {
  const f = the<F>();
  for (let i = from; i < to; i++) {
    const at = data + <usize>i * f.size;
    f.mul(at, at, twiddles + <usize>reflected(i) * f.size);
  }
}

/** Exchanges elements from..to of 2^logN with those whose numbers have the bits in reverse, each pair once. */
export function reverseBits<F>(data: usize, logN: i32, from: i32, to: i32): void {
  const f = the<F>();
  for (let i = from; i < to; i++) {
    const j = reversed(i, logN);
    if (j <= i) continue;
    const a = data + <usize>i * f.size;
    const b = data + <usize>j * f.size;
    f.copy(TERM, a);
    f.copy(a, b);
    f.copy(b, TERM);
  }
}

/** i with all bits below its highest one inverted; 0 for 0. */
// @ts-ignore: decorator
@inline
function reflected(i: i32): i32 {
  return i == 0 ? 0 : i ^ ((1 << (31 - clz(i))) - 1);
}

/** The low `bits` bits of x in reverse. */
// @ts-ignore: decorator
@inline
function reversed(x: i32, bits: i32): i32 {
  let v = ((<u32>x >> 1) & 0x55555555) | ((<u32>x & 0x55555555) << 1);
  v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  return <i32>(<u64>bswap<u32>(v) >> (32 - bits));
}

/** target[i] = a[i] b[i], all canonical bytes. */
export function multiplyElements<F>(a: usize, b: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) {
    const at = (<usize>i) << 5;
    f.loadCanonical(TERM, a + at);
    f.loadPlain(FACTOR, b + at);
    f.mul(TERM, TERM, FACTOR);
    f.storePlain(target + at, TERM);
  }
}

/** target[i] = a[i] b[i] - c[i], all canonical bytes. */
export function quotient<F>(a: usize, b: usize, c: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) {
    const at = (<usize>i) << 5;
    f.loadCanonical(TERM, a + at);
    f.loadPlain(FACTOR, b + at);
    f.mul(TERM, TERM, FACTOR);
    f.loadPlain(FACTOR, c + at);
    f.sub(TERM, TERM, FACTOR);
    f.storePlain(target + at, TERM);
  }
}
