// How a bucket's run of the sorted list is cut: not at all, if it has at most `piece_length` entries; else into full pieces of
// `full_length` entries, which is at most `piece_length`, and one piece behind them, of 1 to `full_length` entries.
//
// Pieces are listed by length class. The first classes are those of full pieces: whose bucket has at least folded_parts^15 of
// them, folded_parts^14, and so on down to 1. Those of one bucket lie together, from a multiple of that power of `folded_parts`
// on, so that groups of so many hold no other bucket's; the places up to the next multiple stay empty. Behind them come the
// other pieces, the longest first.
//
// Of `bins` the first LENGTH_CLASSES words are the places that the pieces of each class take, the next ones how many of them are
// taken, and the last one, at SLOTS_AT, is the number of places of full pieces.

struct Cut {
  // Full pieces, their length class, and the places they take.
  full: u32,
  full_class: u32,
  places: u32,
  // Entries of the last piece; 0 for an empty run.
  length: u32,
}

fn cut_run(entries: u32) -> Cut {
  var cut: Cut;
  // A run of more entries than there are comes from a kernel that went wrong, and listing its pieces could take minutes.
  if (entries == 0u || entries > params.most_entries) {
    return cut;
  }
  if (entries > params.piece_length) {
    cut.full = (entries - 1u) / params.full_length;
  }
  cut.length = entries - cut.full * params.full_length;
  cut.full_class = FULL_CLASSES - 1u;
  var unit = 1u;
  while (cut.full / unit >= params.folded_parts) {
    unit *= params.folded_parts;
    cut.full_class--;
  }
  cut.places = (cut.full + unit - 1u) / unit * unit;
  return cut;
}

// The class of a last piece.
fn class_of_length(length: u32) -> u32 {
  return LENGTH_CLASSES - length;
}
