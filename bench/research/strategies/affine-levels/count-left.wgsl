// Counts what the last level has left in every bucket, without points at infinity. One thread per place.
//
// - `offsets`: where the run of each of the `bucket_count` buckets begins in the sorted list, and the number of entries.
// - `left_counters`: the number of points of each bucket, zero before.
// - `left_ranks`: for each place its bucket, plus 1, and the number of points counted before; 0 where there is none.

fn run(t: u32) {
  var found = vec2u();
  if (t < place_of(params.bucket_count, params.level)) {
    let bucket = bucket_at(t, params.level);
    if (t - place_of(bucket, params.level) < points_of(bucket, params.level)) {
      var any = vec4u();
      for (var i = 0u; i < 2u * VECTORS; i++) {
        any |= points[t * 2u * VECTORS + i];
      }
      if (any.x != 0u || any.y != 0u || any.z != 0u || any.w != 0u) {
        found = vec2u(bucket + 1u, atomicAdd(&left_counters[bucket], 1u));
      }
    }
  }
  left_ranks[t] = found;
}
