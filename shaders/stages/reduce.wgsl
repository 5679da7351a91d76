// One round of sum b B_b over the buckets of every row, in place. Each row has `arrays` arrays of 2 * `half` sums: array 0 at the
// row's beginning, and array k > 0 at its 2^(c-1-k)-th bucket. In each, the `half` sums that begin at `source` are added to those that
// begin at `target_at`. One addition a thread, arrays * half threads a row.
//
// The rounds of halving add the upper half of every array to the lower one. What array 0 leaves in its upper half are the buckets with
// that bit of b set: the next array. The last round adds bucket 0 to bucket 1.

// A sum without a point is all zeros, and else its third coordinate is none of them.
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
