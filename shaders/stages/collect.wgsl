// Copies each row's bit sums S_k, which the reduction leaves in the buckets 2^k, into the order of k: the row's result
// is sum 2^k S_k. The highest bit has none. One thread per bit of a row.
//
// The pass has `rows_of_pass` of the `rows` rows of each MSM; its first row is row `first_target` of all.

fn run(t: u32) {
  let row = t / params.window_bits;
  let bit = t % params.window_bits;
  var sum = point_identity();
  if (bit + 1u < params.window_bits) {
    sum = load_bucket(row * params.buckets_per_row + (1u << bit));
  }
  let target_row = params.first_target + row / params.rows_of_pass * params.rows + row % params.rows_of_pass;
  store_bit(target_row * params.window_bits + bit, sum);
}
