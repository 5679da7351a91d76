// One round of the bucket reduction sum b B_b of every row, in place. Each row has `arrays` arrays of 2 * `half`
// buckets: array 0 begins at the row, and array k > 0 at the row's bucket 2^(c-1-k). In each, the `half` buckets from
// `source` on are added to the `half` buckets from `target_at` on. One addition per thread, arrays * half threads per
// row.
//
// The halving rounds add the upper half of every array to the lower one. The upper half of array 0 then holds the
// buckets with that bit of b set and becomes the next array. The last round adds bucket 0 to bucket 1.

// An empty bucket is all zeros; in any other the third coordinate is not all zeros.
fn bucket_is_filled(i: u32) -> bool {
  var words = 0u;
  for (var k = 2u * COORDINATE_WORDS; k < 3u * COORDINATE_WORDS; k++) {
    words |= buckets[i * 4u * COORDINATE_WORDS + k];
  }
  return words != 0u;
}

fn run(t: u32) {
  let row = t / (params.arrays * params.half);
  let number = t / params.half % params.arrays;
  let offset = select(params.buckets_per_row >> number, 0u, number == 0u);
  let at = row * params.buckets_per_row + offset + t % params.half;
  let added = at + params.source;
  if (bucket_is_filled(added)) {
    let sum = at + params.target_at;
    store_bucket(sum, point_add(load_bucket(sum), load_bucket(added)));
  }
}
