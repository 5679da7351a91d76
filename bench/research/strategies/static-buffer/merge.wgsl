// One round of adding up the sums of a bucket that several threads have left, which lie side by side: those at odd multiples of `distance`
// from the first are added to the ones at even multiples. One thread a share that has something to add. The first bucket of every share but
// a bucket's first share is the bucket.

fn run(t: u32) {
  let total = offsets[params.bucket_count];
  let share = (total + params.shares - 1u) / params.shares;
  if (t * share >= total) {
    return;
  }
  let bucket = first_buckets[t];
  let number = t - offsets[bucket] / share;
  if (number % (2u * params.distance) == params.distance) {
    let at = t + bucket;
    store_slot(at - params.distance, point_add(load_slot(at - params.distance), load_slot(at)));
  }
}
