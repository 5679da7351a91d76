/** The smallest and the largest windows for which digits are cut, and that a caller may name. */
export const MIN_WINDOW_BITS = 4;
export const MAX_WINDOW_BITS = 20;

/**
 * The number of windows of `windowBits` bits that a scalar of `scalarBits` bits needs. Signed digits need one bit more
 * than unsigned ones, because the highest digit may have a carry.
 */
export function windowCount(scalarBits: number, windowBits: number): number {
  return Math.ceil((scalarBits + 1) / windowBits);
}

/**
 * The integer that `addBias` adds to scalars, so that digits need no carries: `ofWindow` in every window but the
 * highest.
 */
export function windowBias(ofWindow: number, windowBits: number, windows: number): bigint {
  let bias = 0n;
  for (let w = 0; w + 1 < windows; w++) bias |= BigInt(ofWindow) << BigInt(w * windowBits);
  return bias;
}

/**
 * The signed digits of a scalar k, lowest first: sum d_w 2^(c w) = k with -2^(c-1) < d_w <= 2^(c-1). The kernels that
 * cut digits are tested against this function.
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
