// Lists the additions of a level: of the points of every bucket the first is added to the second, the third to the
// fourth, and so on. A last one without a partner is copied to its place after the level. One thread per such place.
//
// A workgroup's additions are neighbours in the list, in the order of their places, so that the kernels that go through
// the list find points of neighbouring threads side by side. The list has no gaps.
//
// - `offsets`: where the run of each of the `bucket_count` buckets begins in the sorted list, and the number of entries.
// - `pairs`: the first of the two points, and the place of the sum.
// - `pair_counts`: the number of additions of each level, zero before.

var<workgroup> ranks: array<u32, WORKGROUP>;
var<workgroup> first_rank: u32;

fn run(t: u32, local: u32) {
  var source = 0u;
  var is_pair = false;
  if (t < params.end && t < place_of(params.bucket_count, params.level + 1u)) {
    let bucket = bucket_at(t, params.level + 1u);
    let k = 2u * (t - place_of(bucket, params.level + 1u));
    let count = points_of(bucket, params.level);
    // The first level takes entries of the sorted list, which has no gaps.
    source = select(place_of(bucket, params.level), offsets[bucket], params.level == 0u) + k;
    is_pair = k + 1u < count;
    if (k + 1u == count) {
      store_next_coordinate(t * 2u * VECTORS, x_of(source));
      store_next_coordinate(t * 2u * VECTORS + VECTORS, y_of(source));
    }
  }
  ranks[local] = u32(is_pair);
  for (var distance = 1u; distance < WORKGROUP; distance *= 2u) {
    workgroupBarrier();
    var before = 0u;
    if (local >= distance) {
      before = ranks[local - distance];
    }
    workgroupBarrier();
    ranks[local] += before;
  }
  if (local == WORKGROUP - 1u) {
    first_rank = atomicAdd(&pair_counts[params.level], ranks[local]);
  }
  workgroupBarrier();
  if (is_pair) {
    pairs[first_rank + ranks[local] - 1u] = vec2u(source, t);
  }
}
