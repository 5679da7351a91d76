/** Bits [at, at + count) of the little-endian integer of `words` u32 at `scalar`; count <= 20, bits beyond the last word are 0. */
// @ts-ignore: decorator
@inline
function bits(scalar: usize, words: u32, at: u32, count: u32): u32 {
  const word = at >> 5;
  if (word >= words) return 0;
  const address = scalar + (<usize>word << 2);
  let value: u64 = load<u32>(address);
  if (word + 1 < words) value |= <u64>load<u32>(address, 4) << 32;
  return <u32>(value >> (at & 31)) & ((1 << count) - 1);
}

/**
 * Signed digits of `count` scalars of 32 bytes, window-major: entry w * count + i is digit w of scalar i, its absolute value in
 * the low 31 bits, its sign in bit 31, with -2^(c-1) < d <= 2^(c-1); only the highest keeps what it has, up to 2^c, and no sign.
 */
export function cutDigits(scalars: usize, count: i32, windowBits: u32, windows: u32, target: usize): void {
  for (let i: i32 = 0; i < count; i++) {
    cutScalar(scalars + (<usize>i << 5), 8, windowBits, windows, target + (<usize>i << 2), <usize>count << 2);
  }
}

/** As `cutDigits`, for those from..to of `count` scalars of 16 bytes. */
export function cutHalves(
  halves: usize,
  count: i32,
  from: i32,
  to: i32,
  windowBits: u32,
  windows: u32,
  target: usize,
): void {
  for (let i = from; i < to; i++) {
    cutScalar(halves + (<usize>i << 4), 4, windowBits, windows, target + (<usize>i << 2), <usize>count << 2);
  }
}

/** The digits of one scalar of `words` u32, `stride` bytes apart. */
export function cutScalar(
  scalar: usize,
  words: u32,
  windowBits: u32,
  windows: u32,
  target: usize,
  stride: usize,
): void {
  const half: u32 = 1 << (windowBits - 1);
  let carry: u32 = 0;
  for (let w: u32 = 0; w + 1 < windows; w++) {
    const digit = bits(scalar, words, w * windowBits, windowBits) + carry;
    const negative = digit > half;
    carry = negative ? 1 : 0;
    const value = negative ? (1 << windowBits) - digit : digit;
    // A digit of exactly 2^c leaves 0 and a carry, without a sign.
    store<u32>(target, value | (negative && value != 0 ? 0x80000000 : 0));
    target += stride;
  }
  store<u32>(target, bits(scalar, words, (windows - 1) * windowBits, windowBits) + carry);
}
