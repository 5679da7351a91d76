// Counts the digits of every bucket, and keeps for each digit its rank: how many came to its bucket before it.
// One thread a point. Which of two digits comes first is left to the device: the order within a bucket does not matter.

struct Params {
  limbs: u32,
  // The points of this dispatch: first <= i < end.
  first: u32,
  end: u32,
  windows: u32,
  // Digits of one window.
  stride: u32,
  buckets_per_window: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> digits: array<u32>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> ranks: array<u32>;

const MAGNITUDE = 0x7fffffffu;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = params.first + id.x + id.y * groups.x * 256u;
  if (i >= params.end) {
    return;
  }
  for (var w = 0u; w < params.windows; w++) {
    let at = w * params.stride + i;
    let magnitude = digits[at] & MAGNITUDE;
    if (magnitude != 0u) {
      ranks[at] = atomicAdd(&counters[w * params.buckets_per_window + magnitude - 1u], 1u);
    }
  }
}
