// One round of adding up the sums of full pieces, in place. In every group of `unit` * `folded_parts` slots of a bucket that has
// at least so many, the sums of the group's parts, which the round before left in the first slot of each part, become one, in
// the first slot of the group. One thread a group.
//
// The last round, whose `unit` is 0, adds to every bucket what the others left of its full pieces: at most `folded_parts` sums. One
// thread a bucket; most have nothing to add.
//
// - `offsets`: where the run of each bucket begins, and the number of all entries.
// - `pieces`: the bucket of each piece, plus 1; 0 where there is none. Full pieces come first.
// - `first_pieces`: number of the first full piece of each bucket that has one, which is its slot.
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

  // A second addition would be as much code again: one loop serves all rounds.
  var unit = params.unit;
  var part = 1u;
  var parts = params.folded_parts;
  var sum: Point;
  if (is_last) {
    // Slots that were folded into one.
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
