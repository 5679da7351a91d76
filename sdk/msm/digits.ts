/**
 * Windows of c bits that a scalar of `scalarBits` bits needs when its digits are signed: one bit more than unsigned, because
 * the highest digit may carry.
 */
export function windowCount(scalarBits: number, windowBits: number): number {
  return Math.ceil((scalarBits + 1) / windowBits);
}

/**
 * The signed digits of a scalar, lowest first: sum d_w 2^(c w) = k with -2^(c-1) < d_w <= 2^(c-1). The reference of the
 * kernels that cut digits.
 */
export function signedDigits(scalar: bigint, scalarBits: number, windowBits: number): number[] {
  const base = 1 << windowBits;
  const digits: number[] = [];
  let rest = scalar;
  for (let w = 0; w < windowCount(scalarBits, windowBits); w++) {
    const low = Number(rest & BigInt(base - 1));
    const digit = low > base / 2 ? low - base : low;
    digits.push(digit);
    rest = (rest - BigInt(digit)) >> BigInt(windowBits);
  }
  return digits;
}
