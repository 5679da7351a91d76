import { the } from '../field/field';
import { SIGN } from './pair-tree';

// The class S has the size of scalars.

/**
 * Bits [at, at + count) of the little-endian integer of `words` u32 at `scalar`; count <= 20, bits beyond the last word
 * are 0.
 */
// @ts-ignore: decorator
@inline
export function bits(scalar: usize, words: u32, at: u32, count: u32): u32 {
  const word = at >> 5;
  if (word >= words) return 0;
  const address = scalar + (<usize>word << 2);
  let value: u64 = load<u32>(address);
  if (word + 1 < words) value |= <u64>load<u32>(address, 4) << 32;
  return <u32>(value >> (at & 31)) & ((1 << count) - 1);
}

/**
 * The signed digits of `count` scalars, window by window: entry w * count + i is digit w of scalar i, with its absolute
 * value in the low 31 bits and its sign in bit 31; -2^(c-1) < d <= 2^(c-1). Only the highest digit has no sign, and may
 * be up to 2^c.
 */
export function cutDigits<S>(scalars: usize, count: i32, windowBits: u32, windows: u32, target: usize): void {
  for (let i: i32 = 0; i < count; i++) {
    cutScalar<S>(scalars + <usize>i * the<S>().size, windowBits, windows, target + (<usize>i << 2), <usize>count << 2);
  }
}

/** The digits of one scalar, `stride` bytes apart. */
function cutScalar<S>(scalar: usize, windowBits: u32, windows: u32, target: usize, stride: usize): void {
  const words: u32 = the<S>().size >> 2;
  const half: u32 = 1 << (windowBits - 1);
  let carry: u32 = 0;
  for (let w: u32 = 0; w + 1 < windows; w++) {
    const digit = bits(scalar, words, w * windowBits, windowBits) + carry;
    const negative = digit > half;
    carry = negative ? 1 : 0;
    const value = negative ? (1 << windowBits) - digit : digit;
    // A digit of exactly 2^c leaves 0 and a carry, without a sign.
    store<u32>(target, value | (negative && value != 0 ? SIGN : 0));
    target += stride;
  }
  store<u32>(target, bits(scalar, words, (windows - 1) * windowBits, windowBits) + carry);
}

/**
 * Adds the integer at `bias`, of a scalar's size, to the numbers from..to. The bias has half a window's range in every
 * window but the highest. The same is subtracted from each digit when it is cut, so that digits are signed and none
 * needs a carry from the one below.
 */
export function addBias<S>(numbers: usize, from: i32, to: i32, bias: usize): void {
  for (let k = from; k < to; k++) {
    const number = numbers + <usize>k * the<S>().size;
    let carry: u64 = 0;
    for (let at: i32 = 0; at < the<S>().size; at += 8) {
      const added = load<u64>(bias + at);
      const carried = load<u64>(number + at) + carry;
      const sum = carried + added;
      carry = u64(carried < carry) + u64(sum < added);
      store<u64>(number + at, sum);
    }
  }
}

/**
 * One window's digits of the numbers from..to, which are a scalar's size apart and have `size` bytes: as many, or 16,
 * half a scalar. A digit is the `bits` bits from bit `at` on, minus `bias`. The highest bit of a number of 16 bytes is
 * its sign, which no window reaches; if it is set, the digit is negated. The result has the absolute value in the low
 * 31 bits, and the sign in bit 31. bits <= 21.
 */
export function cutWindow<S>(
  numbers: usize,
  size: u32,
  from: i32,
  to: i32,
  at: u32,
  bits: u32,
  bias: i32,
  target: usize,
): void {
  // The eight bytes from `byte` on have all the bits, and do not go beyond the number's end.
  const byte: usize = min(at >> 3, size - 8);
  const shift: u64 = at - (<u32>byte << 3);
  const mask: u64 = (1 << bits) - 1;
  const isSigned = size == 16;
  for (let k = from; k < to; k++) {
    const number = numbers + <usize>k * the<S>().size;
    const digit = <i32>((load<u64>(number + byte) >> shift) & mask) - bias;
    const value = isSigned && load<i8>(number + 15) < 0 ? -digit : digit;
    store<u32>(target + (<usize>k << 2), value < 0 ? <u32>-value | SIGN : <u32>value);
  }
}
