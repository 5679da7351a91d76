// Signed digits that workers have cut, 16 bits each: d + 2^(c-1), with -2^(c-1) <= d < 2^(c-1). `source` holds those of the pass, row after row;
// every row begins with a word of its own.

// The digit of window w of scalar i: |d| in the low 31 bits, its sign in bit 31; 0 where the pass does not fill its row. `w` and `carry` are
// there for the digits that are cut here.
fn next_digit(i: u32, w: u32, place: Place, carry: ptr<function, u32>) -> u32 {
  if (!is_in_pass(place)) {
    return 0u;
  }
  let row_words = (params.points + 1u) / 2u;
  let pair = source[(place.row - params.first_row) * row_words + i / 2u];
  let digit = i32((pair >> (16u * (i % 2u))) & 0xffffu) - i32(1u << (params.window_bits - 1u));
  return u32(abs(digit)) | select(0u, NEGATIVE, digit < 0i);
}
