// The sum of b B_b over the buckets of a row by a single thread: from the highest bucket down, the running sum of the buckets is added up once
// a bucket. Bucket i of a row holds the digit i + 1. One thread a row; some of the buckets of a row at a time, from bucket `end` - 1 down to
// bucket `begin`, so that no dispatch takes too long. The running sum and the total of a row lie side by side in `slots`.

fn run(row: u32) {
  var running = load_slot(2u * row);
  var total = load_slot(2u * row + 1u);
  for (var left = 2u * (params.end_bucket - params.begin_bucket); left > 0u; left--) {
    let is_bucket = left % 2u == 0u;
    var added = running;
    var sum = total;
    if (is_bucket) {
      added = load_bucket(row * params.buckets_per_row + params.begin_bucket + left / 2u - 1u);
      sum = running;
    }
    sum = point_add(sum, added);
    if (is_bucket) {
      running = sum;
    } else {
      total = sum;
    }
  }
  store_slot(2u * row, running);
  store_slot(2u * row + 1u, total);
  if (params.begin_bucket == 0u) {
    store_bit(params.first_row + row, total);
  }
}
