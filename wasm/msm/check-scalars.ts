import { the } from '../field/field';
import { bits } from './digits';
import { sipHash } from './siphash';

// Scalars of the check MSM, which checks other MSMs (docs/strategies/checked-msm.md). While one is made it is an
// accumulator of one of two kinds. Where weights have 40 bits, it is short: an unsigned number of 32 bits, more where
// carries are pending, a signed one that counts 2^32, and a sum of one MSM. Where they have the order's length, it is
// long: two i64 more than a scalar has u32, of which number l counts 2^(32 l), and which are at most 2^63 in absolute
// value. The class S has the size of scalars.

/** Bytes of a short accumulator. */
export const SHORT_ACCUMULATOR: i32 = 8 * 3;

/** The u32 of a scalar. */
// @ts-ignore: decorator
@inline
function words<S>(): i32 {
  return the<S>().size >> 2;
}

/** Bytes of a long accumulator. */
// @ts-ignore: decorator
@inline
export function longAccumulator<S>(): i32 {
  return 8 * (words<S>() + 2);
}

/** Where a short accumulator has the sum of one MSM. */
const SUM: usize = 16;

/**
 * Bit 72 of a mask is set, counted from bit 32. No sum of weighted digits is as large, so that a check scalar without
 * reduction is positive.
 */
const MASK_BIT: u64 = 1 << 40;

// The digits of a scalar, each an i64: 768 bits in windows of 4 have 193 of them.
const DIGITS: usize = memory.data(8 * 193);

/**
 * Sets `count` accumulators of `size` bytes to the masks of the points from number `first` on: 2^72 and 64 bits that
 * follow from the key of 16 bytes.
 */
export function setMasks(accumulators: usize, size: usize, count: i32, first: u32, key: usize): void {
  memory.fill(accumulators, 0, <usize>count * size);
  for (let i: i32 = 0; i < count; i++) {
    const at = accumulators + <usize>i * size;
    const random = sipHash(key, <u64>first + i);
    store<u64>(at, random & 0xffffffff);
    store<u64>(at, (random >> 32) + MASK_BIT, 8);
  }
}

/**
 * Adds the signed digits of `count` scalars, each times the weight of its window, to their short
 * accumulators. Digits are cut as by `cutDigits`: the scalars have the bias 2^(c-1) - 1 added in every window but the
 * highest (`addBias`), so that a window's digit is its c bits minus the bias. Weights are u64 below 2^40: the weighted
 * digits of less than 2^(24 - c) windows have a sum below 2^63 in absolute value, which is computed modulo 2^64.
 *
 * @param signs 0, or the address of a byte for each scalar: whether its opposite is meant (`centreScalars`).
 */
export function addShortDigits<S>(
  accumulators: usize,
  scalars: usize,
  count: i32,
  windowBits: u32,
  windows: u32,
  weights: usize,
  signs: usize,
): void {
  const end = accumulators + <usize>count * SHORT_ACCUMULATOR;
  // Four windows a pass: the places, shifts and weights stay in registers.
  const most: u32 = ((1 << (24 - windowBits)) - 1) & ~3;
  for (let first: u32 = 0; first < windows; first += most) {
    const stop = min(first + most, windows);
    for (let at = accumulators; at < end; at += SHORT_ACCUMULATOR) store<u64>(at, 0, SUM);
    for (let w = first; w < stop; w += 4) addWindows<S>(accumulators, end, scalars, windowBits, windows, w, weights);
    let ofBias: u64 = 0;
    for (let w = first; w < min(stop, windows - 1); w++) ofBias += load<u64>(weights + (<usize>w << 3));
    ofBias *= (1 << (windowBits - 1)) - 1;
    let sign = signs;
    for (let at = accumulators; at < end; at += SHORT_ACCUMULATOR) {
      let sum = <i64>(load<u64>(at, SUM) - ofBias);
      if (signs != 0 && load<u8>(sign++) != 0) sum = -sum;
      store<u64>(at, load<u64>(at) + (sum & 0xffffffff));
      store<i64>(at, load<i64>(at, 8) + (sum >> 32), 8);
    }
  }
}

/** Adds the weighted bits of up to four windows from number `first` on to the sums of accumulators up to `end`. */
function addWindows<S>(
  accumulators: usize,
  end: usize,
  scalars: usize,
  windowBits: u32,
  windows: u32,
  first: u32,
  weights: usize,
): void {
  const mask: u64 = (1 << windowBits) - 1;
  const place0 = placeOf<S>(first, windowBits);
  const place1 = placeOf<S>(first + 1, windowBits);
  const place2 = placeOf<S>(first + 2, windowBits);
  const place3 = placeOf<S>(first + 3, windowBits);
  const shift0: u64 = first * windowBits - 8 * <u32>place0;
  const shift1: u64 = (first + 1) * windowBits - 8 * <u32>place1;
  const shift2: u64 = (first + 2) * windowBits - 8 * <u32>place2;
  const shift3: u64 = (first + 3) * windowBits - 8 * <u32>place3;
  const weight0 = weightOf(first, windows, weights);
  const weight1 = weightOf(first + 1, windows, weights);
  const weight2 = weightOf(first + 2, windows, weights);
  const weight3 = weightOf(first + 3, windows, weights);
  let scalar = scalars;
  for (let at = accumulators; at < end; at += SHORT_ACCUMULATOR) {
    const sum =
      ((load<u64>(scalar + place0) >> shift0) & mask) * weight0 +
      ((load<u64>(scalar + place1) >> shift1) & mask) * weight1 +
      ((load<u64>(scalar + place2) >> shift2) & mask) * weight2 +
      ((load<u64>(scalar + place3) >> shift3) & mask) * weight3;
    store<u64>(at, load<u64>(at, SUM) + sum, SUM);
    scalar += the<S>().size;
  }
}

/** The byte from which eight bytes of a scalar have all bits of a window that begins within it. */
function placeOf<S>(window: u32, windowBits: u32): usize {
  return min<u32>((window * windowBits) >> 3, the<S>().size - 8);
}

/** The weight of a window; 0 beyond the highest. */
function weightOf(window: u32, windows: u32, weights: usize): u64 {
  return window < windows ? load<u64>(weights + (<usize>window << 3)) : 0;
}

/**
 * The same for long accumulators, weights of a scalar's size, and scalars without a bias.
 */
export function addDigits<S>(
  accumulators: usize,
  scalars: usize,
  count: i32,
  windowBits: u32,
  windows: u32,
  weights: usize,
  signs: usize,
): void {
  const end = DIGITS + (<usize>windows << 3);
  for (let i: i32 = 0; i < count; i++) {
    cutSigned<S>(scalars + <usize>i * the<S>().size, windowBits, windows, signs != 0 && load<u8>(signs + i) != 0);
    const accumulator = accumulators + <usize>i * longAccumulator<S>();
    for (let l: i32 = 0; l < words<S>(); l++) {
      const at = accumulator + (<usize>l << 3);
      let weight = weights + (<usize>l << 2);
      let sum = load<i64>(at);
      for (let digit = DIGITS; digit < end; digit += 8) {
        sum += load<i64>(digit) * <i64>load<u32>(weight);
        weight += the<S>().size;
      }
      store<i64>(at, sum);
    }
  }
}

/** Writes the signed digits of a scalar, or of its opposite, to DIGITS. */
function cutSigned<S>(scalar: usize, windowBits: u32, windows: u32, isNegative: bool): void {
  const half: u32 = 1 << (windowBits - 1);
  let carry: u32 = 0;
  for (let w: u32 = 0; w < windows; w++) {
    const low = bits(scalar, words<S>(), w * windowBits, windowBits) + carry;
    carry = u32(low > half);
    const digit = <i64>low - (<i64>carry << windowBits);
    store<i64>(DIGITS + (<usize>w << 3), isNegative ? -digit : digit);
  }
}

/** Passes carries on, so that all limbs but the highest are in 0..2^32-1. */
function normalize<S>(at: usize): void {
  let carry: i64 = 0;
  for (let l: i32 = 0; l < words<S>() + 1; l++) {
    const value = load<i64>(at) + carry;
    carry = value >> 32;
    store<i64>(at, value & 0xffffffff);
    at += 8;
  }
  store<i64>(at, load<i64>(at) + carry);
}

/** Adds `factor` times the order and passes carries on. */
function addOrder<S>(at: usize, order: usize, factor: i64): void {
  for (let l: i32 = 0; l < words<S>(); l++) {
    const limb = at + (<usize>l << 3);
    store<i64>(limb, load<i64>(limb) + factor * <i64>load<u32>(order + (<usize>l << 2)));
  }
  normalize<S>(at);
}

/** A number of limbs from `least` on, as a floating-point number in units of 2^(32 least). */
function highPart<S>(at: usize, least: i32): f64 {
  let value: f64 = 0;
  for (let l: i32 = words<S>() + 1; l >= least; l--) value = value * 4294967296.0 + <f64>load<i64>(at + (<usize>l << 3));
  return value;
}

/** Reduces a number of less than 2^31 times the order in absolute value to 0..order-1. */
function reduce<S>(at: usize, order: usize): void {
  const top = order + (the<S>().size - 8);
  const highest = <f64>load<u32>(top, 4) * 4294967296.0 + <f64>load<u32>(top);
  // Wrong by less than 1, and then rounded down: the rest is from -order to 2 order - 1.
  addOrder<S>(at, order, -(<i64>Math.floor(highPart<S>(at, words<S>() - 2) / highest)));
  while (load<i64>(at + 8 * (words<S>() + 1)) < 0) addOrder<S>(at, order, 1);
  while (isAtLeast<S>(at, order)) addOrder<S>(at, order, -1);
}

function isAtLeast<S>(at: usize, order: usize): bool {
  for (let l: i32 = words<S>() - 1; l >= 0; l--) {
    const limb = load<i64>(at + (<usize>l << 3));
    const bound = <i64>load<u32>(order + (<usize>l << 2));
    if (limb != bound) return limb > bound;
  }
  return true;
}

/** Writes `count` short accumulators, which must be positive, as scalars of three u32. */
export function storeShortScalars(accumulators: usize, count: i32, target: usize): void {
  let at = accumulators;
  const end = target + 12 * <usize>count;
  for (let to = target; to < end; to += 12) {
    const low = load<u64>(at);
    store<u32>(to, <u32>low);
    store<u64>(to, load<u64>(at, 8) + (low >> 32), 4);
    at += SHORT_ACCUMULATOR;
  }
}

/** Writes `count` long accumulators as scalars, reduced below the order at that address. */
export function storeCheckScalars<S>(accumulators: usize, count: i32, order: usize, target: usize): void {
  let to = target;
  for (let i: i32 = 0; i < count; i++) {
    const at = accumulators + <usize>i * longAccumulator<S>();
    normalize<S>(at);
    reduce<S>(at, order);
    for (let l: i32 = 0; l < words<S>(); l++) {
      store<u32>(to, <u32>load<i64>(at + (<usize>l << 3)));
      to += 4;
    }
  }
}
