// As shaders/stages/scatter.wgsl, with the buckets and bases of odd digits.

fn run(i: u32) {
  var carry = 0u;
  var place = first_place();
  for (var w = 0u; w < params.window_end; w++) {
    let digit = next_digit(i, w, place, &carry);
    let magnitude = digit & MAGNITUDE;
    if (is_in_pass(place) && magnitude != 0u) {
      let rank = ranks[digit_at(i, place)];
      let entry = base_of_odd(i, place, magnitude) | (digit & NEGATIVE);
      sorted[offsets[bucket_of_odd(i, place, magnitude)] + rank] = entry;
    }
    place = next_place(place);
  }
}
