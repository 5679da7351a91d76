// One round of adding up the sums of full pieces, in place. In a bucket with at least `unit` * `folded_parts` slots,
// every group of that many slots has `folded_parts` parts, each with its sum in its first slot from the round before.
// Their sum goes to the first slot of the group. One thread per group.
//
// The last round, with `unit` 0, adds the remaining sums, at most `folded_parts`, to their bucket. One thread per
// bucket; most have nothing to add.
//
// - `offsets`: the first entry of each bucket, then the number of entries.
// - `pieces`: the bucket of each piece, plus 1; 0 where there is none. Full pieces come first.
// - `first_pieces`: index of the first full piece of each bucket that has one; also that piece's slot.
// - `bins`: at SLOTS_AT the number of slots.

fn run(t: u32) {
  let is_last = params.unit == 0u;
  var bucket = t;
  var first_slot = t * params.unit * params.folded_parts;
  if (!is_last) {
    if (first_slot >= bins[SLOTS_AT] || pieces[first_slot] == 0u) {
      return;
    }
    bucket = pieces[first_slot] - 1u;
  }
  let entries = offsets[bucket + 1u] - offsets[bucket];
  if (entries <= params.piece_length) {
    return;
  }
  let full = (entries - 1u) / params.full_length;
  if (full < params.unit * params.folded_parts) {
    return;
  }

  // A second addition would double the code, so one loop serves all rounds.
  var unit = params.unit;
  var part = 1u;
  var parts = params.folded_parts;
  var sum: Point;
  if (is_last) {
    // The number of slots that the earlier rounds folded into one.
    unit = 1u;
    while (full / unit >= params.folded_parts) {
      unit *= params.folded_parts;
    }
    part = 0u;
    parts = (full + unit - 1u) / unit;
    first_slot = first_pieces[bucket];
    sum = load_bucket(bucket);
  } else {
    sum = load_slot(first_slot);
  }
  for (; part < parts; part++) {
    let slot = first_slot + part * unit;
    if (pieces[slot] != 0u) {
      sum = point_add(sum, load_slot(slot));
    }
  }
  if (is_last) {
    store_bucket(bucket, sum);
  } else {
    store_slot(first_slot, sum);
  }
}
