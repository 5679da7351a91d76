// One round of adding up the sums of full pieces, in place. In every group of `unit` * `folded_parts` slots of a bucket that has
// at least so many, the sums of the group's parts, which the round before left in the first slot of each part, become one, in
// the first slot of the group. One thread a group.
//
// - `offsets`: where the run of each bucket begins, and the number of all entries.
// - `pieces`: the bucket of each piece, plus 1; 0 where there is none. Full pieces come first.
// - `bins`: at SLOTS_AT the number of slots.

fn run(t: u32) {
  let first_slot = t * params.unit * params.folded_parts;
  if (first_slot >= bins[SLOTS_AT] || pieces[first_slot] == 0u) {
    return;
  }
  let bucket = pieces[first_slot] - 1u;
  let full = (offsets[bucket + 1u] - offsets[bucket] - 1u) / params.piece_length;
  if (full < params.unit * params.folded_parts) {
    return;
  }
  var sum = load_slot(first_slot);
  for (var part = 1u; part < params.folded_parts; part++) {
    let slot = first_slot + part * params.unit;
    if (pieces[slot] != 0u) {
      sum = point_add(sum, load_slot(slot));
    }
  }
  store_slot(first_slot, sum);
}
