// Cuts the sorted list into ranges of equal length, one for each thread, and moves both ends of each to where the next bucket begins: a
// thread sums all the points of the buckets whose runs begin in its range. The buckets begin at zero.
//
// - `sorted`: index of the base in the low 31 bits, its sign in bit 31.
// - `offsets`: where the run of each of the `bucket_count` buckets begins, and the number of all entries.

const INDEX = 0x7fffffffu;

fn run(t: u32) {
  let total = offsets[params.bucket_count];
  let length = (total + params.ranges - 1u) / params.ranges;
  var bucket = first_bucket_from(t * length, params.bucket_count);
  let end_bucket = first_bucket_from((t + 1u) * length, params.bucket_count);
  var entry = offsets[bucket];
  let end = offsets[end_bucket];
  var sum = point_identity();
  // One loop over all entries of the thread: a loop a bucket would let the threads of a wave wait for the longest at every bucket.
  while (entry < end) {
    while (offsets[bucket + 1u] == entry) {
      bucket++;
    }
    let item = sorted[entry];
    sum = point_add_base(sum, base_negate_if(base_load(item & INDEX), item > INDEX));
    entry++;
    if (entry == offsets[bucket + 1u]) {
      store_bucket(bucket, sum);
      sum = point_identity();
      bucket++;
    }
  }
}
