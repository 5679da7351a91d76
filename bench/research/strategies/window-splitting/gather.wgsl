// The sum of every bit of the numbers of a row's buckets, from the windows of one bit that the splitting leaves in `buckets`: those lie two
// buckets each, and bucket 1 has the sum. Bucket i of a row held the digit i + 1, so that the sum of all is added to that of bit 0. One
// thread a bit of a row; the highest of `window_bits` has no sum.

fn run(t: u32) {
  let bit = t % params.window_bits;
  var sum = point_identity();
  if (bit < params.bucket_bits) {
    // Every splitting sends the lower half of the bits to the first new window and the others to the second.
    var window = t / params.window_bits;
    var place = bit;
    var bits = params.bucket_bits;
    while (bits > 1u) {
      bits = (bits + 1u) / 2u;
      window *= 2u;
      if (place >= bits) {
        window++;
        place -= bits;
      }
    }
    // All buckets are in every window: for bit 0, bucket 1 counts twice and bucket 0 once.
    sum = load_bucket(2u * window + 1u);
    for (var i = select(0u, 2u, bit == 0u); i > 0u; i--) {
      sum = point_add(sum, load_bucket(2u * window + i - 1u));
    }
  }
  store_bit(params.first_row * params.window_bits + t, sum);
}
