// Adds up the buckets of the same number in all `sets` sets of a row, in the first set. A set begins `next_set` buckets behind the one before.
// One thread a bucket of the first set.

fn run(t: u32) {
  var sum = load_bucket(t);
  for (var other = 1u; other < params.sets; other++) {
    sum = point_add(sum, load_bucket(t + other * params.next_set));
  }
  store_bucket(t, sum);
}
