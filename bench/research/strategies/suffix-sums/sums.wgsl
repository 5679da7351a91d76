// Finds the sum of m_i P_i over a part of a row's run of the sorted list, without buckets: one thread a part. From the last entry down, the
// running sum of the points is added up as often as the digit falls from an entry to the one before it; what is left of the digit at the
// first entry counts at the end.
//
// - `sorted`: index of the base in the low 31 bits, its sign in bit 31.
// - `offsets`: where the run of each bucket begins, and the number of all entries.
// - `slots`: gets the sum of every part, `parts` for each row.

const INDEX = 0x7fffffffu;

fn run(t: u32) {
  let first_of_row = t / params.parts * params.buckets_per_row;
  let row_begin = offsets[first_of_row];
  let row_end = offsets[first_of_row + params.buckets_per_row];
  let length = (row_end - row_begin + params.parts - 1u) / params.parts;
  let begin = row_begin + t % params.parts * length;
  var entry = min(begin + length, row_end);
  if (begin >= entry) {
    return;
  }
  var bucket = bucket_of_entry(entry - 1u, params.bucket_count);
  var running = point_identity();
  var total = point_identity();
  loop {
    entry--;
    let item = sorted[entry];
    running = point_add_base(running, base_negate_if(base_load(item & INDEX), item > INDEX));
    // How far the digit falls to the entry before; at the first entry, to 0.
    var fall = bucket - first_of_row + 1u;
    if (entry > begin) {
      let upper = bucket;
      while (offsets[bucket] == entry) {
        bucket--;
      }
      fall = upper - bucket;
    }
    if (fall > 0u) {
      total = point_add_multiple(total, running, fall);
    }
    if (entry == begin) {
      break;
    }
  }
  store_slot(t, total);
}
