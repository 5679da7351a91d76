// Cuts the buckets of every row into segments and finds the sum of b B_b over each: one thread a segment. From its highest bucket down, the
// running sum of the buckets is added up once a bucket; and the segment's whole sum counts as often as there are buckets before it. Bucket i
// of a row holds the digit i + 1.

fn run(t: u32) {
  let segments = params.buckets_per_row / params.length;
  let first = t / segments * params.buckets_per_row + t % segments * params.length;
  var running = point_identity();
  var total = point_identity();
  // A loop around a single addition: a bucket to the running sum, and then that to the total.
  for (var left = 2u * params.length; left > 0u; left--) {
    let is_bucket = left % 2u == 0u;
    var added = running;
    var sum = total;
    if (is_bucket) {
      added = load_bucket(first + left / 2u - 1u);
      sum = running;
    }
    sum = point_add(sum, added);
    if (is_bucket) {
      running = sum;
    } else {
      total = sum;
    }
  }
  let before = t % segments * params.length;
  if (before > 0u) {
    total = point_add_multiple(total, running, before);
  }
  store_slot(t, total);
}
