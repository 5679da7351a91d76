// As shaders/stages/count.wgsl, with the buckets of odd digits.

fn run(i: u32) {
  var carry = 0u;
  var place = first_place();
  for (var w = 0u; w < params.window_end; w++) {
    let magnitude = next_digit(i, w, place, &carry) & MAGNITUDE;
    if (is_in_pass(place) && magnitude != 0u) {
      ranks[digit_at(i, place)] = atomicAdd(&counters[bucket_of_odd(i, place, magnitude)], 1u);
    }
    place = next_place(place);
  }
}
