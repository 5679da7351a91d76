// Adds to every bucket the sums of its full pieces, of which the rounds of folding leave at most `folded_parts`. `offsets` says
// where the run of each bucket begins, and the number of all entries; `first_pieces` is the number of the first full piece of each
// bucket that has one, which is its slot. One thread a bucket; most have nothing to add.

fn run(bucket: u32) {
  let entries = offsets[bucket + 1u] - offsets[bucket];
  if (entries <= params.piece_length) {
    return;
  }
  let full = (entries - 1u) / params.piece_length;
  // Slots that were folded into one.
  var unit = 1u;
  while (full / unit >= params.folded_parts) {
    unit *= params.folded_parts;
  }
  var sum = load_bucket(bucket);
  for (var k = 0u; k < full; k += unit) {
    sum = point_add(sum, load_slot(first_pieces[bucket] + k));
  }
  store_bucket(bucket, sum);
}
