// Signed digits that were cut elsewhere.

// Digits of the pass, |d| in the low 31 bits and its sign in bit 31: for each window those of all its scalars.
@group(0) @binding(1) var<storage, read> source: array<u32>;

// Digit w of scalar i; `carry` is there for the digits that are cut here.
fn next_digit(i: u32, w: u32, carry: ptr<function, u32>) -> u32 {
  if (w < params.first_window) {
    return 0u;
  }
  return source[digit_row(i, w - params.first_window)];
}
