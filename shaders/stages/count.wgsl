// Counts the digits of every bucket in `counters`, and keeps for each digit its rank: how many came to its bucket before it.
// One thread a scalar. Which of two digits comes first is left to the device: the order within a bucket does not matter.

fn run(i: u32) {
  var carry = 0u;
  var place = first_place();
  // The carry runs through all windows, those of other passes too.
  for (var w = 0u; w < params.window_end; w++) {
    let magnitude = next_digit(i, w, place, &carry) & MAGNITUDE;
    if (is_in_pass(place) && magnitude != 0u) {
      ranks[digit_at(i, place)] = atomicAdd(&counters[bucket_of_digit(i, place, magnitude)], 1u);
    }
    place = next_place(place);
  }
}
