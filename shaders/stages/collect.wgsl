// Puts the sums that the reduction leaves in each row in the order of the bits they stand for: sum 2^k S_k is the row's sum. S_k
// lies in bucket 2^k, and the highest bit has none. One thread a bit of a row.
//
// Of each multiplication the pass has `rows_of_pass` of its `rows` rows; the first one of the pass goes to row `first_target` of all.

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
