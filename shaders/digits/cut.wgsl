// Signed digits of a scalar, cut on demand: sum d_w 2^(c w) = k with -2^(c-1) < d_w <= 2^(c-1). Where the scalar's
// highest bit is set, all signs are inverted. `source` holds the scalars, `params.scalar_words` words each.

// `window_bits` (at most 20) bits of scalar i from `bit` on; zeros past its end.
fn scalar_bits(i: u32, bit: u32) -> u32 {
  let end = 32u * params.scalar_words - 1u;
  if (bit >= end) {
    return 0u;
  }
  let word = bit >> 5u;
  let shift = bit & 31u;
  var bits = source[i * params.scalar_words + word] >> shift;
  if (shift + params.window_bits > 32u && word + 1u < params.scalar_words) {
    bits |= source[i * params.scalar_words + word + 1u] << (32u - shift);
  }
  return bits & ((1u << min(params.window_bits, end - bit)) - 1u);
}

// The digit of window w of scalar i: |d| in the low 31 bits, its sign in bit 31 (either sign where d is 0). To be
// called for consecutive windows from 0 on, with the same `carry`, initially 0.
fn next_digit(i: u32, w: u32, place: Place, carry: ptr<function, u32>) -> u32 {
  let base = 1u << params.window_bits;
  let sign = source[i * params.scalar_words + params.scalar_words - 1u] & NEGATIVE;
  let low = scalar_bits(i, w * params.window_bits) + *carry;
  if (low <= base / 2u) {
    *carry = 0u;
    return low | sign;
  }
  *carry = 1u;
  return (base - low) | (sign ^ NEGATIVE);
}
