// Signed digits that were cut elsewhere. `source` holds those of the pass, |d| in the low 31 bits and the sign in bit 31, as
// `digit_at` orders them.

// The digit of window w of scalar i; 0 where the pass does not fill its row. `w` and `carry` are there for the digits that are
// cut here.
fn next_digit(i: u32, w: u32, place: Place, carry: ptr<function, u32>) -> u32 {
  if (!is_in_pass(place)) {
    return 0u;
  }
  return source[digit_at(i, place)];
}
