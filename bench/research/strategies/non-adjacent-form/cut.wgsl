// Windows of a scalar's non-adjacent form, cut as they are asked for. The form has the digits -1, 0 and 1, of which no two side by side are
// other than 0: digit j is bit j + 1 of 3 k less bit j + 1 of k. So a window of c digits is at most 2/3 2^c, and needs no carry from the
// window before it. `source` holds the scalars, 8 words each.

const SCALAR_WORDS = 8u;

// `count` (at most 20) bits of scalar i from `bit` on; zeros beyond its end.
fn scalar_bits(i: u32, bit: u32, count: u32) -> u32 {
  let word = bit >> 5u;
  let shift = bit & 31u;
  if (word >= SCALAR_WORDS) {
    return 0u;
  }
  var bits = source[i * SCALAR_WORDS + word] >> shift;
  if (shift + count > 32u && word + 1u < SCALAR_WORDS) {
    bits |= source[i * SCALAR_WORDS + word + 1u] << (32u - shift);
  }
  return bits & ((1u << count) - 1u);
}

// The digit of window w of scalar i: |d| in the low 31 bits, its sign in bit 31. To be asked for window after window from 0 on, with the same
// `carry`, which begins at 0: that of 3 k into the bits of the next window.
fn next_digit(i: u32, w: u32, place: Place, carry: ptr<function, u32>) -> u32 {
  let bits = scalar_bits(i, w * params.window_bits + 1u, params.window_bits);
  if (w == 0u) {
    // What bit 0 carries: 3 = 0b11.
    *carry = scalar_bits(i, 0u, 1u);
  }
  let triple = 3u * bits + *carry;
  *carry = triple >> params.window_bits;
  // Bits that both have cancel out.
  let digit = i32(triple & ((1u << params.window_bits) - 1u)) - i32(bits);
  return u32(abs(digit)) | select(0u, NEGATIVE, digit < 0i);
}
