// Equal shares of the sorted list, one for each thread. A thread adds up the points of its share and leaves a sum for each bucket that it
// meets, at the place thread + bucket of `slots`. The buckets of a share are those from the last one of the share before on, so no two
// threads have the same place.
//
// - `sorted`: index of the base in the low 31 bits, its sign in bit 31.
// - `offsets`: where the run of each of the `bucket_count` buckets begins, and the number of all entries.
// - `first_buckets`: gets for each thread the bucket of its first entry.

const INDEX = 0x7fffffffu;

fn run(t: u32) {
  let total = offsets[params.bucket_count];
  let share = (total + params.shares - 1u) / params.shares;
  var entry = t * share;
  let end = min(entry + share, total);
  if (entry >= end) {
    return;
  }
  var bucket = bucket_of_entry(entry, params.bucket_count);
  first_buckets[t] = bucket;
  var run_end = min(end, offsets[bucket + 1u]);
  var sum = point_identity();
  // One loop over all entries of the thread: a loop a bucket would let the threads of a wave wait for the longest at every bucket.
  for (; entry < end; entry++) {
    if (entry == run_end) {
      bucket++;
      while (offsets[bucket + 1u] == entry) {
        bucket++;
      }
      run_end = min(end, offsets[bucket + 1u]);
    }
    let item = sorted[entry];
    sum = point_add_base(sum, base_negate_if(base_load(item & INDEX), item > INDEX));
    if (entry + 1u == run_end) {
      store_slot(t + bucket, sum);
      sum = point_identity();
    }
  }
}
