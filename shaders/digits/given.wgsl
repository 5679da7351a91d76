// Signed digits cut elsewhere. `source` holds the pass's digits in the order of `digit_at`, |d| in the low 31 bits and
// the sign in bit 31.

// The digit of window w of scalar i; 0 where the pass does not fill its row. `w` and `carry` are unused; the signature
// is the same as in cut.wgsl.
fn next_digit(i: u32, w: u32, place: Place, carry: ptr<function, u32>) -> u32 {
  if (!is_in_pass(place)) {
    return 0u;
  }
  return source[digit_at(i, place)];
}
