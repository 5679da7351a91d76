// Counts the places of each length class, in the first words of `bins`. `offsets` holds the first entry of each bucket,
// then the number of entries. One thread per bucket.

var<workgroup> counts: array<atomic<u32>, LENGTH_CLASSES>;

fn run(bucket: u32, local: u32) {
  if (bucket < params.end) {
    let cut = cut_run(offsets[bucket + 1u] - offsets[bucket]);
    if (cut.length != 0u) {
      atomicAdd(&counts[class_of_length(cut.length)], 1u);
    }
    if (cut.full != 0u) {
      atomicAdd(&counts[cut.full_class], cut.places);
    }
  }
  workgroupBarrier();
  if (local < LENGTH_CLASSES) {
    let count = atomicLoad(&counts[local]);
    if (count != 0u) {
      atomicAdd(&bins[local], count);
    }
  }
}
