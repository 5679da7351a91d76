// After `level` levels bucket b has ceil(n / 2^level) points, n at first. They lie from (offsets[b] >> level) + b on,
// which leaves room for them all: no offsets have to be computed anew.

fn place_of(bucket: u32, level: u32) -> u32 {
  return (offsets[bucket] >> level) + bucket;
}

fn points_of(bucket: u32, level: u32) -> u32 {
  return (offsets[bucket + 1u] - offsets[bucket] + (1u << level) - 1u) >> level;
}

// The bucket whose places after `level` levels have `place` among them.
fn bucket_at(place: u32, level: u32) -> u32 {
  var low = 0u;
  var high = params.bucket_count;
  while (low + 1u < high) {
    let middle = (low + high) / 2u;
    if (place_of(middle, level) <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}
