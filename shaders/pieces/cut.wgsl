// How a bucket's run of the sorted list is cut: not at all if it has at most `piece_length` entries; otherwise into
// full pieces of `full_length` <= `piece_length` entries, and a last piece of 1 to `full_length` entries.
//
// Pieces are listed by length class. The first classes hold full pieces, by how many their bucket has: at least
// folded_parts^15, folded_parts^14, and so on down to 1. A bucket's full pieces are contiguous and aligned to that
// power of `folded_parts`, so that an aligned group of that many places never mixes buckets; the places up to the next
// multiple stay empty. The other pieces follow, the longest first.
//
// The first LENGTH_CLASSES words of `bins` are the number of places of each class, the next ones how many of them are
// taken; the last word, at SLOTS_AT, is the number of places of full pieces.

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
  // A run of more entries than exist comes from a faulty kernel, and listing its pieces could take minutes.
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
