// The result of each row: bucket i holds the digit i + 1, so that the sum of all buckets is added to that of i B_i. One thread a row.

fn run(row: u32) {
  let at = row * params.buckets_per_row;
  store_bit(params.first_row + row, point_add(load_slot(at), load_bucket(at)));
}
