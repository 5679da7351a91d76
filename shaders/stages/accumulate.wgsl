// Adds up the points of every piece of the list sorted by bucket. One thread per piece; adjacent threads have pieces of
// equal length. The sum of a full piece goes to its slot, the sum of a bucket's last piece to the bucket.
//
// - `sorted`: index of the base in the low 31 bits, its sign in bit 31.
// - `offsets`: the first entry of each bucket, then the number of entries.
// - `pieces`: the bucket of each piece, plus 1; 0 where there is none. Full pieces come first.
// - `first_pieces`: index of the first full piece of each bucket that has one.
// - `bins`: at SLOTS_AT the number of slots, one for each place of a full piece.
// - `continued`: 1 if these points are added to what the buckets already hold.

const INDEX = 0x7fffffffu;

fn run(t: u32) {
  if (pieces[t] == 0u) {
    return;
  }
  let bucket = pieces[t] - 1u;
  let is_full = t < bins[SLOTS_AT];
  var begin = offsets[bucket];
  var end = offsets[bucket + 1u];
  if (is_full) {
    begin += (t - first_pieces[bucket]) * params.full_length;
    end = begin + params.full_length;
  } else if (end - begin > params.piece_length) {
    begin += (end - begin - 1u) / params.full_length * params.full_length;
  }
  var sum = point_identity();
  if (params.continued == 1u && !is_full) {
    sum = load_bucket(bucket);
  }
  for (var entry = begin; entry < end; entry++) {
    let item = sorted[entry];
    sum = point_add_base(sum, base_negate_if(base_load(item & INDEX), item > INDEX));
  }
  if (is_full) {
    store_slot(t, sum);
  } else {
    store_bucket(bucket, sum);
  }
}
