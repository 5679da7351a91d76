// Functions for circom's numbers, of 40 bytes: a short value (i32), flags, and a long value of 32 bytes. The flags tell
// which value counts. Numbers in Montgomery form are converted where circom converts them.

import { Fr_F1m_fromMontgomery, isBelowModulus, storeReduced, storeWords } from '../generated/circuit-product';
import { WORD_0, WORD_1, WORD_2, WORD_3 } from './modulus';

/** Where a number has its long value, and the highest byte of its flags. */
export const VALUE: usize = 8;
const FLAGS: usize = 7;
/** Flags: the long value counts; it is in Montgomery form, also where the short value counts. */
export const LONG: u32 = 0x80;
export const MONTGOMERY: u32 = 0x40;
const LONG_MONTGOMERY: u32 = LONG | MONTGOMERY;
/** The word of flags of a long value as it is, and of one in Montgomery form. */
export const LONG_NORMAL_WORD: u32 = 0x80000000;
export const LONG_MONTGOMERY_WORD: u32 = 0xc0000000;
/** Where circom's code has (p - 1) / 2: values above it are negative. */
const HALF: usize = 1920;

/** The functions that the circuit's code has. */
@external('circuit', 'Fr_eqR')
declare function equalInCircuit(a: usize, b: usize): i32;
@external('circuit', 'Fr_gtR')
declare function greaterInCircuit(a: usize, b: usize): i32;

/** r = a + b of values below 2^256, less p if that is not below p. */
export function add(a: usize, b: usize, r: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const a3 = load<u64>(a, 24);
  const s0 = a0 + load<u64>(b);
  const s1 = a1 + load<u64>(b, 8);
  const s2 = a2 + load<u64>(b, 16);
  const s3 = a3 + load<u64>(b, 24);
  const c0 = <u64>(s0 < a0);
  const t1 = s1 + c0;
  const c1 = <u64>(s1 < a1) | <u64>(t1 < c0);
  const t2 = s2 + c1;
  const c2 = <u64>(s2 < a2) | <u64>(t2 < c1);
  const t3 = s3 + c2;
  const c3 = <u64>(s3 < a3) | <u64>(t3 < c2);
  if (c3 == 0 && isBelowModulus(s0, t1, t2, t3)) storeWords(r, s0, t1, t2, t3);
  else storeReduced(r, s0, t1, t2, t3, 1);
}

/** r = a - b of values below 2^256, and p more if that is negative. */
export function subtract(a: usize, b: usize, r: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const a3 = load<u64>(a, 24);
  const s0 = a0 - load<u64>(b);
  const s1 = a1 - load<u64>(b, 8);
  const s2 = a2 - load<u64>(b, 16);
  const s3 = a3 - load<u64>(b, 24);
  const c0 = <u64>(s0 > a0);
  const t1 = s1 - c0;
  const c1 = <u64>(s1 > a1) | <u64>(t1 > s1);
  const t2 = s2 - c1;
  const c2 = <u64>(s2 > a2) | <u64>(t2 > s2);
  const t3 = s3 - c2;
  if (!(<u64>(s3 > a3) | <u64>(t3 > s3))) {
    storeWords(r, s0, t1, t2, t3);
    return;
  }
  const u0 = s0 + WORD_0;
  const d0 = <u64>(u0 < s0);
  const u1 = t1 + WORD_1;
  const v1 = u1 + d0;
  const d1 = <u64>(u1 < t1) | <u64>(v1 < d0);
  const u2 = t2 + WORD_2;
  const v2 = u2 + d1;
  const d2 = <u64>(u2 < t2) | <u64>(v2 < d1);
  storeWords(r, u0, v1, v2, t3 + WORD_3 + d2);
}

/** Whether a number is negative. */
export function isNegative(a: usize): i32 {
  if ((flagsOf(a) & LONG) == 0) return i32(load<i32>(a) < 0);
  toNormal(a);
  return isAbove(a + VALUE, HALF);
}

/** A number as an i32: the lowest 32 bits of its value from -p/2 to p/2. */
export function toInt(a: usize): i32 {
  if ((flagsOf(a) & LONG) == 0) return load<i32>(a);
  toNormal(a);
  // The mark in the place of a word counts only as a constant of 64 bits.
  const low = load<u64>(a, VALUE);
  return <i32>(isAbove(a + VALUE, HALF) ? low - WORD_0 : low);
}

/** Whether a = b. */
export function isEqual(a: usize, b: usize): i32 {
  const flags = flagsOf(a);
  const others = flagsOf(b);
  if (((flags | others) & LONG) == 0) return i32(load<i32>(a) == load<i32>(b));
  if (((flags & others & LONG) | ((flags ^ others) & MONTGOMERY)) != LONG) return equalInCircuit(a, b);
  return i32(
    ((load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24)) |
      (load<u64>(a, 32) ^ load<u64>(b, 32))) ==
      0,
  );
}

/** Whether a > b, both from -p/2 to p/2. */
export function isGreater(a: usize, b: usize): i32 {
  const flags = flagsOf(a);
  const others = flagsOf(b);
  if (((flags | others) & LONG) == 0) return i32(load<i32>(a) > load<i32>(b));
  if ((flags & others & LONG) == 0) return greaterInCircuit(a, b);
  toNormal(a);
  toNormal(b);
  const sign = isAbove(a + VALUE, HALF);
  const otherSign = isAbove(b + VALUE, HALF);
  return sign == otherSign ? isAbove(a + VALUE, b + VALUE) : otherSign;
}

/**
 * Copies numbers, each of their words after another, as many calls of circom's `Fr_copy` do. The lowest bit of the
 * pattern says whether the first is the one at `fixed` or the next of those at `run`, and so on; the last bit that is 1
 * follows them.
 */
export function copyNumbers(r: usize, run: usize, fixed: usize, pattern: u64): void {
  do {
    const isFixed = <bool>(pattern & 1);
    const a = select<usize>(fixed, run, isFixed);
    store<u64>(r, load<u64>(a));
    store<u64>(r, load<u64>(a, 8), 8);
    store<u64>(r, load<u64>(a, 16), 16);
    store<u64>(r, load<u64>(a, 24), 24);
    store<u64>(r, load<u64>(a, 32), 32);
    run += select<usize>(0, 40, isFixed);
    r += 40;
    pattern >>= 1;
  } while (pattern != 1);
}

// @ts-ignore: decorator
@inline
export function flagsOf(a: usize): u32 {
  return load<u8>(a, FLAGS);
}

// @ts-ignore: decorator
@inline
function toNormal(a: usize): void {
  if ((flagsOf(a) & LONG_MONTGOMERY) != LONG_MONTGOMERY) return;
  store<u32>(a, LONG_NORMAL_WORD, 4);
  Fr_F1m_fromMontgomery(a + VALUE, a + VALUE);
}

// @ts-ignore: decorator
@inline
function isAbove(a: usize, b: usize): i32 {
  const a3 = load<u64>(a, 24);
  const b3 = load<u64>(b, 24);
  if (a3 != b3) return i32(a3 > b3);
  const a2 = load<u64>(a, 16);
  const b2 = load<u64>(b, 16);
  if (a2 != b2) return i32(a2 > b2);
  const a1 = load<u64>(a, 8);
  const b1 = load<u64>(b, 8);
  if (a1 != b1) return i32(a1 > b1);
  return i32(load<u64>(a) > load<u64>(b));
}
