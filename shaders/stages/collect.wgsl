// Puts the sums that the reduction leaves in each window in the order of the bits they stand for: sum 2^k S_k is the
// window's sum. S_k lies in bucket 2^k; bucket b holds the digit b + 1, so S_0 takes the sum of all buckets, in bucket 0,
// besides. The highest bit has none. One thread a bit of a window.

struct Params {
  limbs: u32,
  // The threads of this dispatch, `window_bits` for each window: first <= t < end.
  first: u32,
  end: u32,
  window_bits: u32,
  buckets_per_window: u32,
  // Of each multiplication, the windows of the pass, all windows, and where among these the first one's go.
  windows: u32,
  all_windows: u32,
  target_at: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> buckets: array<u32>;
@group(0) @binding(2) var<storage, read_write> bit_sums: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * 64u;
  if (t >= params.end) {
    return;
  }
  let row = t / params.window_bits;
  let bit = t % params.window_bits;
  let window = row * params.buckets_per_window;
  var sum = point_identity();
  if (bit + 1u < params.window_bits) {
    sum = load_bucket(window + (1u << bit));
  }
  if (bit == 0u) {
    sum = point_add(sum, load_bucket(window));
  }
  let target_window = params.target_at + row / params.windows * params.all_windows + row % params.windows;
  store_bit(target_window * params.window_bits + bit, sum);
}
