// Puts the sums that the halvings leave in each row in the order of the bits they stand for: sum 2^k S_k is the row's sum. Bucket 0 has the
// sum of all buckets, and bucket 2^k, for k < `bucket_bits`, the sum of those with bit k in their numbers, which stands for bit k + `shift`.
// With a shift of 1 the sum of all buckets stands for bit 0. Bits without a sum get none. One thread a bit of a row.

fn run(t: u32) {
  let bit = t % params.window_bits;
  let row = t / params.window_bits * params.buckets_per_row;
  var sum = point_identity();
  if (bit < params.shift) {
    sum = load_bucket(row);
  } else if (bit < params.bucket_bits + params.shift) {
    sum = load_bucket(row + (1u << (bit - params.shift)));
  }
  store_bit(params.first_row * params.window_bits + t, sum);
}
