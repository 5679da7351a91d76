// AssemblyScript: `scripts/lib/packed-digits.mjs` compiles it.

/**
 * Bits [at, at + count) of the little-endian scalar of 8 u32 at `scalar`; count <= 16, bits beyond the last word are 0.
 */
function bits(scalar: usize, at: u32, count: u32): u32 {
  const word = at >> 5;
  if (word >= 8) return 0;
  const address = scalar + ((<usize>word) << 2);
  let value: u64 = load<u32>(address);
  if (word < 7) value |= (<u64>load<u32>(address, 4)) << 32;
  return <u32>(value >> (at & 31)) & ((1 << count) - 1);
}

/**
 * The signed digits of `count` scalars of 32 bytes in 16 bits each, window by window: entry w * count + i is d +
 * 2^(c-1), where d is digit w of scalar i and -2^(c-1) <= d < 2^(c-1). c = `windowBits` <= 16.
 */
export function packDigits(scalars: usize, count: i32, windowBits: u32, windows: u32, target: usize): void {
  const half: u32 = 1 << (windowBits - 1);
  const mask: u32 = (1 << windowBits) - 1;
  const stride: usize = (<usize>count) << 1;
  for (let i: i32 = 0; i < count; i++) {
    const scalar = scalars + ((<usize>i) << 5);
    let entry = target + ((<usize>i) << 1);
    let carry: u32 = 0;
    for (let w: u32 = 0; w < windows; w++) {
      const value = bits(scalar, w * windowBits, windowBits) + carry;
      carry = u32(value >= half);
      store<u16>(entry, <u16>((value + half) & mask));
      entry += stride;
    }
  }
}
