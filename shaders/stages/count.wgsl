// Counts the digits of every bucket in `counters`, and stores each digit's rank: the number of digits counted before it
// in its bucket. One thread per scalar. The order within a bucket depends on the device and does not matter.

fn run(i: u32) {
  var carry = 0u;
  var place = first_place();
  // The carry propagates through all windows, including other passes'.
  for (var w = 0u; w < params.window_end; w++) {
    let magnitude = next_digit(i, w, place, &carry) & MAGNITUDE;
    if (is_in_pass(place) && magnitude != 0u) {
      ranks[digit_at(i, place)] = atomicAdd(&counters[bucket_of_digit(i, place, magnitude)], 1u);
    }
    place = next_place(place);
  }
}
