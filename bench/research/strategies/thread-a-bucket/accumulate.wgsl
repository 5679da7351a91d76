// Sums the points of every bucket: one thread a bucket. The buckets begin at zero.
//
// - `sorted`: index of the base in the low 31 bits, its sign in bit 31.
// - `offsets`: where the run of each bucket begins, and the number of all entries.

const INDEX = 0x7fffffffu;

fn run(bucket: u32) {
  let begin = offsets[bucket];
  let end = offsets[bucket + 1u];
  if (begin == end) {
    return;
  }
  var sum = point_identity();
  for (var entry = begin; entry < end; entry++) {
    let item = sorted[entry];
    sum = point_add_base(sum, base_negate_if(base_load(item & INDEX), item > INDEX));
  }
  store_bucket(bucket, sum);
}
