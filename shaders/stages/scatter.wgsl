// Puts the base of every nonzero digit at its place in the list sorted by bucket: the bucket's offset plus the digit's
// rank. An entry of `sorted` has the index of the base in the low 31 bits and the digit's sign in bit 31. One thread
// per scalar.

fn run(i: u32) {
  var carry = 0u;
  var place = first_place();
  for (var w = 0u; w < params.window_end; w++) {
    let digit = next_digit(i, w, place, &carry);
    let magnitude = digit & MAGNITUDE;
    if (is_in_pass(place) && magnitude != 0u) {
      let rank = ranks[digit_at(i, place)];
      sorted[offsets[bucket_of_digit(i, place, magnitude)] + rank] = base_of_digit(i, place) | (digit & NEGATIVE);
    }
    place = next_place(place);
  }
}
