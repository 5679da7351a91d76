// Lists what the last level has left, by bucket. One thread per place.

fn run(t: u32) {
  let found = left_ranks[t];
  if (found.x != 0u) {
    left_sorted[left_counters[found.x - 1u] + found.y] = t;
  }
}
