// Adds the buckets of a row's other sets to the buckets of the same digit in its first set. There are `sets` sets, each
// beginning `next_set` buckets after the one before. One thread per bucket of the first set.

fn run(t: u32) {
  var sum = load_bucket(t);
  for (var other = 1u; other < params.sets; other++) {
    sum = point_add(sum, load_bucket(t + other * params.next_set));
  }
  store_bucket(t, sum);
}
