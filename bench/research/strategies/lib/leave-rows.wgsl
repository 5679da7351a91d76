// The result of each row from the first place of its array in `partials`. One thread a row.

fn run(row: u32) {
  store_bit(params.first_row + row, load_slot(row * params.length));
}
