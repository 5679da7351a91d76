// Splits every window of `bits` bits in two of k = ceil(bits / 2): where bucket r = a + 2^k b of a window has the sum B_r, bucket a of the first
// new window has the sum of all B_r with that a, and bucket b of the second one the sum of those with that b. New buckets of the second window
// that no r has stay empty. The terms of a new bucket are cut into `parts`; the sum of part j lies j * `targets` places behind that of part 0.
// One thread a part of a new bucket. Source and target buckets lie window after window.

fn run(t: u32) {
  let k = (params.bits + 1u) / 2u;
  let part = t / params.targets;
  let target_bucket = t % params.targets;
  let window = target_bucket >> k;
  let index = target_bucket & ((1u << k) - 1u);
  let source = (window / 2u) << params.bits;
  // Of the first new window, the terms are r = index + 2^k i; of the second one r = 2^k index + i.
  let is_second = window % 2u == 1u;
  let terms = select(1u << (params.bits - k), 1u << k, is_second);
  let stride = select(1u << k, 1u, is_second);
  let first = source + select(index, index << k, is_second);
  var sum = point_identity();
  if (!is_second || index < (1u << (params.bits - k))) {
    for (var i = part; i < terms; i += params.parts) {
      sum = point_add(sum, load_bucket(first + i * stride));
    }
  }
  store_slot(t, sum);
}
