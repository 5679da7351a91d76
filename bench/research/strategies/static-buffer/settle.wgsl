// Copies the sum of every bucket that has entries from the place of its first share. The buckets begin at zero. One thread a bucket.

fn run(bucket: u32) {
  let total = offsets[params.bucket_count];
  let share = (total + params.shares - 1u) / params.shares;
  let begin = offsets[bucket];
  if (begin == offsets[bucket + 1u]) {
    return;
  }
  let at = begin / share + bucket;
  for (var w = 0u; w < params.sum_words; w++) {
    buckets[bucket * params.sum_words + w] = slots[at * params.sum_words + w];
  }
}
