// How a bucket's run of the sorted list is cut: into full pieces and one piece behind them, of 1 to `longest` entries.
//
// Pieces are listed by rank. The first ranks are those of full pieces: whose bucket has at least parts^15 of them, parts^14,
// and so on down to 1. Those of one bucket lie together, from a multiple of that power of `parts` on, so that groups of so
// many hold no other bucket's; the places up to the next multiple stay empty. Behind them come the other pieces, the longest
// first.

const FULL_RANKS = 16u;
const RANKS = 128u;
// Where, among the bins, the number of places of full pieces is kept: each has a slot for its sum.
const SLOTS_AT = 2u * RANKS;

struct Cut {
  // Full pieces, their rank, and the places they take.
  full: u32,
  full_rank: u32,
  places: u32,
  // Entries of the last piece; 0 for an empty run.
  length: u32,
}

fn cut_run(entries: u32) -> Cut {
  var cut: Cut;
  if (entries == 0u) {
    return cut;
  }
  cut.full = (entries - 1u) / params.longest;
  cut.length = entries - cut.full * params.longest;
  cut.full_rank = FULL_RANKS - 1u;
  var unit = 1u;
  while (cut.full / unit >= params.parts) {
    unit *= params.parts;
    cut.full_rank--;
  }
  cut.places = (cut.full + unit - 1u) / unit * unit;
  return cut;
}

fn length_rank(length: u32) -> u32 {
  return RANKS - length;
}
