// Signed digits of +-s, cut as they are asked for: sum d_w 2^(c w) = s with -2^(c-1) < d_w <= 2^(c-1), and the other signs where the highest
// bit of the scalar is set. `source` holds the scalars, 8 words each, as `negate` leaves them.

const SCALAR_WORDS = 8u;

// Word `word` of s.
fn scalar_word(i: u32, word: u32) -> u32 {
  return source[i * SCALAR_WORDS + word] & select(0xffffffffu, 0x7fffffffu, word + 1u == SCALAR_WORDS);
}

// `window_bits` (at most 20) bits of s from `bit` on; zeros beyond its end.
fn scalar_bits(i: u32, bit: u32) -> u32 {
  let word = bit >> 5u;
  let shift = bit & 31u;
  if (word >= SCALAR_WORDS) {
    return 0u;
  }
  var bits = scalar_word(i, word) >> shift;
  if (shift + params.window_bits > 32u && word + 1u < SCALAR_WORDS) {
    bits |= scalar_word(i, word + 1u) << (32u - shift);
  }
  return bits & ((1u << params.window_bits) - 1u);
}

// The digit of window w of scalar i: |d| in the low 31 bits, its sign in bit 31. To be asked for window after window from 0 on,
// with the same `carry`, which begins at 0.
fn next_digit(i: u32, w: u32, place: Place, carry: ptr<function, u32>) -> u32 {
  let base = 1u << params.window_bits;
  let sign = source[i * SCALAR_WORDS + SCALAR_WORDS - 1u] & NEGATIVE;
  let low = scalar_bits(i, w * params.window_bits) + *carry;
  if (low <= base / 2u) {
    *carry = 0u;
    return low | sign;
  }
  *carry = 1u;
  return (base - low) | (sign ^ NEGATIVE);
}
