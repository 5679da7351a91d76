// Lists the pieces by length class: each entry of `pieces` is a piece's bucket plus 1, or 0 for an empty place.
// `first_pieces` gets the index of the first full piece of each bucket that has one. `offsets` holds the first entry of
// each bucket, then the number of entries; `bins` is the result of `tally`. One thread per bucket.

// For each class: the places that this workgroup takes, all places, and where the workgroup's places begin.
var<workgroup> counts: array<atomic<u32>, LENGTH_CLASSES>;
var<workgroup> totals: array<u32, LENGTH_CLASSES>;
var<workgroup> starts: array<u32, LENGTH_CLASSES>;

// Buckets with many full pieces, listed by the whole workgroup: bucket, first place and number of pieces.
const MANY = 32u;
var<workgroup> large_count: atomic<u32>;
var<workgroup> large: array<vec3u, WORKGROUP>;

fn run(bucket: u32, local: u32) {
  var cut: Cut;
  if (bucket < params.end) {
    cut = cut_run(offsets[bucket + 1u] - offsets[bucket]);
  }
  var place = 0u;
  var full_place = 0u;
  if (cut.length != 0u) {
    place = atomicAdd(&counts[class_of_length(cut.length)], 1u);
  }
  if (cut.full != 0u) {
    full_place = atomicAdd(&counts[cut.full_class], cut.places);
  }
  if (local < LENGTH_CLASSES) {
    totals[local] = atomicLoad(&bins[local]);
  }
  workgroupBarrier();
  if (local < LENGTH_CLASSES) {
    var start = 0u;
    for (var before = 0u; before < local; before++) {
      start += totals[before];
    }
    if (local == FULL_CLASSES) {
      atomicStore(&bins[SLOTS_AT], start);
    }
    let count = atomicLoad(&counts[local]);
    if (count != 0u) {
      start += atomicAdd(&bins[LENGTH_CLASSES + local], count);
    }
    starts[local] = start;
  }
  workgroupBarrier();
  if (cut.length != 0u) {
    pieces[starts[class_of_length(cut.length)] + place] = bucket + 1u;
  }
  if (cut.full != 0u) {
    let first = starts[cut.full_class] + full_place;
    first_pieces[bucket] = first;
    if (cut.full > MANY) {
      large[atomicAdd(&large_count, 1u)] = vec3u(bucket, first, cut.full);
    } else {
      for (var k = 0u; k < cut.full; k++) {
        pieces[first + k] = bucket + 1u;
      }
    }
  }
  workgroupBarrier();
  let larges = atomicLoad(&large_count);
  for (var n = 0u; n < larges; n++) {
    let item = large[n];
    for (var k = local; k < item.z; k += WORKGROUP) {
      pieces[item.y + k] = item.x + 1u;
    }
  }
}
