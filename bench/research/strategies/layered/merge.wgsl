// One layer of the reduction: merges two neighbouring blocks of `size` buckets of a row. A block has its sum S at its first bucket in `buckets`
// and the sum M of (i - first bucket) B_i at the same place of `slots`; blocks of one bucket have M = 0. Of the blocks (S, M) and (S', M')
// comes (S + S', M + M' + size S'). One thread a pair of blocks.

fn run(t: u32) {
  let low = t * 2u * params.size;
  let high = low + params.size;
  let high_sum = load_bucket(high);
  // A loop around a single addition: log2(size) doublings, the two M and the sum of the buckets.
  let doublings = countTrailingZeros(params.size);
  var result = high_sum;
  for (var step = select(0u, doublings + 2u, params.size == 1u); step < doublings + 3u; step++) {
    var added = result;
    if (step == doublings) {
      added = load_slot(low);
    } else if (step == doublings + 1u) {
      added = load_slot(high);
    } else if (step == doublings + 2u) {
      store_slot(low, result);
      result = high_sum;
      added = load_bucket(low);
    }
    result = point_add(result, added);
  }
  store_bucket(low, result);
}
