// Signed digits of a scalar, cut as they are asked for: sum d_w 2^(c w) = k with -2^(c-1) < d_w <= 2^(c-1). `source` holds the
// scalars, 8 words each.

const SCALAR_WORDS = 8u;

// `window_bits` (at most 20) bits of scalar i from `bit` on; zeros beyond its end.
fn scalar_bits(i: u32, bit: u32) -> u32 {
  let word = bit >> 5u;
  let shift = bit & 31u;
  if (word >= SCALAR_WORDS) {
    return 0u;
  }
  var bits = source[i * SCALAR_WORDS + word] >> shift;
  if (shift + params.window_bits > 32u && word + 1u < SCALAR_WORDS) {
    bits |= source[i * SCALAR_WORDS + word + 1u] << (32u - shift);
  }
  return bits & ((1u << params.window_bits) - 1u);
}

// The digit of window w of scalar i: |d| in the low 31 bits, its sign in bit 31. To be asked for window after window from 0 on,
// with the same `carry`, which begins at 0.
fn next_digit(i: u32, w: u32, place: Place, carry: ptr<function, u32>) -> u32 {
  let base = 1u << params.window_bits;
  let low = scalar_bits(i, w * params.window_bits) + *carry;
  if (low <= base / 2u) {
    *carry = 0u;
    return low;
  }
  *carry = 1u;
  return (base - low) | select(0u, NEGATIVE, low < base);
}
