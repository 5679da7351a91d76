import { the } from './field';

// Scratch elements of Fr.
const SUM: usize = memory.data(48);
const FACTOR: usize = memory.data(48);

/** Brings `count` canonical elements of 32 bytes to kernel form. */
export function loadElements<F>(source: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) f.loadCanonical(target + <usize>i * f.size, source + (<usize>i << 5));
}

export function storeElements<F>(source: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) f.storeCanonical(target + (<usize>i << 5), source + <usize>i * f.size);
}

/** root^0 .. root^(count - 1), root being canonical bytes. */
export function fillPowers<F>(root: usize, count: i32, target: usize): void {
  const f = the<F>();
  f.loadCanonical(FACTOR, root);
  f.setOne(target);
  for (let i: i32 = 1; i < count; i++) f.mul(target + <usize>i * f.size, target + <usize>(i - 1) * f.size, FACTOR);
}

/**
 * Butterflies from..to (of n / 2) of one stage of the forward transform by decimation in time (Cooley-Tukey): a run of
 * 2 half elements each, twiddles[k] = w^k for k < n / 2. The stages half = 1, 2, .. n / 2 take bit-reversed order to natural.
 */
export function forwardStage<F>(data: usize, n: i32, half: i32, twiddles: usize, from: i32, to: i32): void {
  const f = the<F>();
  const stride = n / 2 / half;
  for (let k = from; k < to; k++) {
    const position = k & (half - 1);
    const low = data + <usize>(2 * k - position) * f.size;
    const high = low + <usize>half * f.size;
    if (position == 0) f.copy(SUM, high);
    else f.mul(SUM, high, twiddles + <usize>(position * stride) * f.size);
    f.sub(high, low, SUM);
    f.add(low, low, SUM);
  }
}

/**
 * Butterflies of one stage of the inverse transform by decimation in frequency (Gentleman-Sande), without the division by n. The
 * stages half = n / 2, .. 2, 1 take natural order to bit-reversed. w^-k is -w^(n/2 - k), so that one table serves both ways.
 */
export function inverseStage<F>(data: usize, n: i32, half: i32, twiddles: usize, from: i32, to: i32): void {
  const f = the<F>();
  const stride = n / 2 / half;
  for (let k = from; k < to; k++) {
    const position = k & (half - 1);
    const low = data + <usize>(2 * k - position) * f.size;
    const high = low + <usize>half * f.size;
    f.add(SUM, low, high);
    if (position == 0) {
      f.sub(high, low, high);
    } else {
      f.sub(high, high, low);
      f.mul(high, high, twiddles + <usize>(n / 2 - position * stride) * f.size);
    }
    f.copy(low, SUM);
  }
}

/** Moves element i of 2^logN to the place whose number has i's bits in reverse. */
export function reverseBits<F>(data: usize, logN: i32): void {
  const f = the<F>();
  for (let i: u32 = 0; i < <u32>1 << logN; i++) {
    const j = reversed(i, logN);
    if (j <= i) continue;
    const a = data + <usize>i * f.size;
    const b = data + <usize>j * f.size;
    f.copy(SUM, a);
    f.copy(a, b);
    f.copy(b, SUM);
  }
}

/** Multiplies coefficient i of 2^logN, in bit-reversed order, by scale * shift^i; both given as canonical bytes. */
export function scaleReversed<F>(data: usize, logN: i32, scale: usize, shift: usize): void {
  const f = the<F>();
  f.loadCanonical(SUM, scale);
  f.loadCanonical(FACTOR, shift);
  for (let i: u32 = 0; i < <u32>1 << logN; i++) {
    const at = data + <usize>reversed(i, logN) * f.size;
    f.mul(at, at, SUM);
    f.mul(SUM, SUM, FACTOR);
  }
}

/** The low `bits` bits of x in reverse. */
// @ts-ignore: decorator
@inline
function reversed(x: u32, bits: i32): u32 {
  let v = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  return <u32>((<u64>bswap<u32>(v)) >> (32 - bits));
}

/** target[i] = a[i] b[i], all canonical bytes. */
export function multiplyElements<F>(a: usize, b: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) {
    const at = <usize>i << 5;
    f.loadCanonical(SUM, a + at);
    f.loadPlain(FACTOR, b + at);
    f.mul(SUM, SUM, FACTOR);
    f.storePlain(target + at, SUM);
  }
}

/** target[i] = a[i] b[i] - c[i], all canonical bytes. */
export function quotient<F>(a: usize, b: usize, c: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) {
    const at = <usize>i << 5;
    f.loadCanonical(SUM, a + at);
    f.loadPlain(FACTOR, b + at);
    f.mul(SUM, SUM, FACTOR);
    f.loadPlain(FACTOR, c + at);
    f.sub(SUM, SUM, FACTOR);
    f.storePlain(target + at, SUM);
  }
}
