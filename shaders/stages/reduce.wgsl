// One round of sum b B_b over the buckets of every window, in place. Of a window there are `length` * S sums A, where
// S = 2^step, and behind them, but for the first round, as many totals T. Thread j of the window replaces the sums
// j + i * length (i < S) and the totals there by one of each:
//   A' = sum A_i        T' = S * sum T_i + sum i A_i
// The slots that it reads and writes are its own: A' goes to slot j and T' to slot j + length.

struct Params {
  limbs: u32,
  // The threads of this dispatch, `length` for each window: first <= t < end.
  first: u32,
  end: u32,
  buckets_per_window: u32,
  length: u32,
  step: u32,
  // 1 in the first round: there are no totals yet.
  is_first: u32,
  // 1 in the last round: the window's sum T' + A' goes to `window_sums`, since bucket b holds the digit b + 1.
  is_last: u32,
  first_window: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> buckets: array<u32>;
@group(0) @binding(2) var<storage, read_write> window_sums: array<u32>;

// A sum without a point is all zeros, and else its third coordinate is none of them.
fn bucket_is_filled(i: u32) -> bool {
  var words = 0u;
  for (var k = 2u * WORDS; k < 3u * WORDS; k++) {
    words |= buckets[i * 4u * WORDS + k];
  }
  return words != 0u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * 64u;
  if (t >= params.end) {
    return;
  }
  let window = t / params.length;
  let slot = window * params.buckets_per_window + t % params.length;
  let size = 1u << params.step;
  let totals = slot + params.length * size;
  var sum: Point;
  var total: Point;
  // Whether anything was added to them; empty buckets are passed over.
  var has_sum = false;
  var has_total = false;
  // First the totals are added up, then multiplied by S. Then each sum, from the last one, is added to `sum`, and that to
  // `total`; after the first one only in the last round. All in one loop, so that the kernel holds one addition's code.
  let doublings_end = size + params.step;
  let additions_end = doublings_end + 2u * size - 1u + params.is_last;
  for (var k = params.is_first * doublings_end; k < additions_end; k++) {
    let back = (k - doublings_end) / 2u;
    let adds_to_sum = k >= doublings_end && k == doublings_end + 2u * back;
    var addend = sum;
    var has_addend = has_sum;
    if (k < size || adds_to_sum) {
      let at = select(slot + (size - 1u - back) * params.length, totals + k * params.length, k < size);
      has_addend = bucket_is_filled(at);
      if (has_addend) {
        addend = load_bucket(at);
      }
    } else if (k < doublings_end) {
      addend = total;
      has_addend = has_total;
    }
    if (!has_addend) {
      continue;
    }
    var before = total;
    var has_before = has_total;
    if (adds_to_sum) {
      before = sum;
      has_before = has_sum;
    }
    if (has_before) {
      addend = point_add(before, addend);
    }
    if (adds_to_sum) {
      sum = addend;
      has_sum = true;
    } else {
      total = addend;
      has_total = true;
    }
  }
  if (params.is_last == 1u) {
    if (!has_total) {
      total = point_identity();
    }
    store_window(params.first_window + window, total);
    return;
  }
  // A sum without buckets is stored as the zeros that it still is: an empty bucket. The loop keeps the code of one store.
  for (var k = 0u; k < 2u; k++) {
    store_bucket(slot + k * params.length, sum);
    sum = total;
  }
}
