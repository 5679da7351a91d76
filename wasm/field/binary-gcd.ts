// What inversions by the extended binary greatest common divisor share (inverse.ts, ../circuit/inverse.ts): integers
// that are not negative, in arrays of limbs of BITS bits (u32 each), lowest first, of which number `top` is the highest
// in use.

export const BITS: u32 = 29;
export const MASK: i64 = (1 << 29) - 1;

export function isZero(a: usize, top: i32): bool {
  for (let i = top; i >= 0; i--) {
    if (load<u32>(a + (<usize>i << 2)) != 0) return false;
  }
  return true;
}

/**
 * An approximation of a number whose highest limb is `top` and has `size` bits: its lowest BITS bits, and above them
 * its 33 highest bits.
 */
// @ts-ignore: decorator
@inline
export function approximate(a: usize, top: i32, size: u32): u64 {
  const low = <u64>load<u32>(a);
  if (top == 0) return low;
  const at = a + (<usize>top << 2);
  const second = <u64>load<u32>(at - 4);
  if (top == 1) return (<u64>load<u32>(at) << BITS) | low;
  const below = (second << BITS) | <u64>load<u32>(at - 8);
  return (((<u64>load<u32>(at) << (33 - size)) | (below >> (25 + size))) << BITS) | low;
}

/** Changes the sign of the low limbs of a number that has become negative. */
export function negate(a: usize, top: i32): void {
  let carry: i64 = 0;
  for (let i: i32 = 0; i <= top; i++) {
    const at = a + (<usize>i << 2);
    carry -= <i64>load<u32>(at);
    store<u32>(at, <u32>(carry & MASK));
    carry >>= BITS;
  }
}
