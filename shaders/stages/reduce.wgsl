// One round of sum b B_b over the buckets of every window, in place. Each window has arrays of 2 * half sums, of which the
// upper half is added to the lower: array 0 at the window's beginning, and array k > 0 at its 2^(c-1-k)-th bucket. What
// array 0 leaves in its upper half are the buckets with that bit of b set: the next array. One addition a thread.

struct Params {
  limbs: u32,
  // The threads of this dispatch, arrays * half for each window: first <= t < end.
  first: u32,
  end: u32,
  buckets_per_window: u32,
  arrays: u32,
  half: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> buckets: array<u32>;

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
  let window = t / (params.arrays * params.half);
  let number = t / params.half % params.arrays;
  let offset = select(params.buckets_per_window >> number, 0u, number == 0u);
  let lower = window * params.buckets_per_window + offset + t % params.half;
  let upper = lower + params.half;
  if (bucket_is_filled(upper)) {
    store_bucket(lower, point_add(load_bucket(lower), load_bucket(upper)));
  }
}
