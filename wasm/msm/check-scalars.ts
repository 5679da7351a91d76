import { bits } from './digits';
import { sipHash } from './siphash';

// Scalars of the check MSM, which checks other MSMs (docs/strategies/checked-sums.md). While one is made it is an
// accumulator: ten i64, of which number l counts 2^(32 l), and which are at most 2^63 in absolute value.

const LIMBS: i32 = 10;

/** Bytes of an accumulator. */
export const ACCUMULATOR_SIZE: i32 = 8 * LIMBS;

/**
 * Bit 72 of a mask is set, in limb 2. No sum of weighted digits is as large, so that a check scalar without reduction
 * is positive.
 */
const MASK_LIMB: i32 = 2;
const MASK_BIT: i64 = 1 << 8;

// The digits of a scalar, each an i64: 256 bits in windows of 4 have 65 of them.
const DIGITS: usize = memory.data(8 * 65);

/**
 * Sets `count` accumulators to the masks of the points from number `first` on: 2^72 and 64 bits that follow from the
 * key of 16 bytes.
 */
export function setMasks(accumulators: usize, count: i32, first: u32, key: usize): void {
  memory.fill(accumulators, 0, <usize>count * ACCUMULATOR_SIZE);
  for (let i: i32 = 0; i < count; i++) {
    const at = accumulators + <usize>i * ACCUMULATOR_SIZE;
    const random = sipHash(key, <u64>first + i);
    store<u64>(at, random & 0xffffffff);
    store<u64>(at, random >> 32, 8);
    store<i64>(at + 8 * MASK_LIMB, MASK_BIT);
  }
}

/**
 * Adds the signed digits of `count` scalars of 32 bytes, each times the weight of its window, to their accumulators.
 * Weight w is `limbs` u32 at `weights`; digits are cut as by `cutDigits`. `signs` is 0, or has a byte for each scalar:
 * whether its opposite is meant (`centreScalars`).
 */
export function addDigits(
  accumulators: usize,
  scalars: usize,
  count: i32,
  windowBits: u32,
  windows: u32,
  weights: usize,
  limbs: i32,
  signs: usize,
): void {
  const stride = <usize>limbs << 2;
  const end = DIGITS + (<usize>windows << 3);
  for (let i: i32 = 0; i < count; i++) {
    cutSigned(scalars + (<usize>i << 5), windowBits, windows, signs != 0 && load<u8>(signs + i) != 0);
    const accumulator = accumulators + <usize>i * ACCUMULATOR_SIZE;
    for (let l: i32 = 0; l < limbs; l++) {
      const at = accumulator + (<usize>l << 3);
      let weight = weights + (<usize>l << 2);
      let sum = load<i64>(at);
      for (let digit = DIGITS; digit < end; digit += 8) {
        sum += load<i64>(digit) * <i64>load<u32>(weight);
        weight += stride;
      }
      store<i64>(at, sum);
    }
  }
}

/** Writes the signed digits of a scalar, or of its opposite, to DIGITS. */
function cutSigned(scalar: usize, windowBits: u32, windows: u32, isNegative: bool): void {
  const half: u32 = 1 << (windowBits - 1);
  let carry: u32 = 0;
  for (let w: u32 = 0; w < windows; w++) {
    const low = bits(scalar, 8, w * windowBits, windowBits) + carry;
    carry = u32(low > half);
    const digit = <i64>low - (<i64>carry << windowBits);
    store<i64>(DIGITS + (<usize>w << 3), isNegative ? -digit : digit);
  }
}

/** Passes carries on, so that all limbs but the highest are in 0..2^32-1. */
function normalize(at: usize): void {
  let carry: i64 = 0;
  for (let l: i32 = 0; l < LIMBS - 1; l++) {
    const value = load<i64>(at) + carry;
    carry = value >> 32;
    store<i64>(at, value & 0xffffffff);
    at += 8;
  }
  store<i64>(at, load<i64>(at) + carry);
}

/** Adds `factor` times the order, 32 bytes, and passes carries on. */
function addOrder(at: usize, order: usize, factor: i64): void {
  for (let l: usize = 0; l < 8; l++) {
    const limb = at + (l << 3);
    store<i64>(limb, load<i64>(limb) + factor * <i64>load<u32>(order + (l << 2)));
  }
  normalize(at);
}

/** A number of limbs from `least` on, as a floating-point number in units of 2^(32 least). */
function highPart(at: usize, least: i32): f64 {
  let value: f64 = 0;
  for (let l: i32 = LIMBS - 1; l >= least; l--) value = value * 4294967296.0 + <f64>load<i64>(at + (<usize>l << 3));
  return value;
}

/** Reduces a number of less than 2^31 times the order in absolute value to 0..order-1. */
function reduce(at: usize, order: usize): void {
  const highest = <f64>load<u32>(order, 28) * 4294967296.0 + <f64>load<u32>(order, 24);
  // Wrong by less than 1, and then rounded down: the rest is from -order to 2 order - 1.
  addOrder(at, order, -(<i64>Math.floor(highPart(at, 6) / highest)));
  while (load<i64>(at, 8 * (LIMBS - 1)) < 0) addOrder(at, order, 1);
  while (isAtLeast(at, order)) addOrder(at, order, -1);
}

function isAtLeast(at: usize, order: usize): bool {
  for (let l: i32 = 7; l >= 0; l--) {
    const limb = load<i64>(at + (<usize>l << 3));
    const bound = <i64>load<u32>(order + (<usize>l << 2));
    if (limb != bound) return limb > bound;
  }
  return true;
}

/**
 * Writes `count` accumulators as scalars of `words` u32. With an order, 32 bytes at that address, they are reduced
 * below it; with 0 they must be positive and fit.
 */
export function storeCheckScalars(accumulators: usize, count: i32, order: usize, words: i32, target: usize): void {
  let to = target;
  for (let i: i32 = 0; i < count; i++) {
    const at = accumulators + <usize>i * ACCUMULATOR_SIZE;
    normalize(at);
    if (order != 0) reduce(at, order);
    for (let l: i32 = 0; l < words; l++) {
      store<u32>(to, <u32>load<i64>(at + (<usize>l << 3)));
      to += 4;
    }
  }
}
