// Puts every nonzero digit's point to its place in the list that is sorted by bucket: the bucket's offset plus the rank.
// One thread a point.

struct Params {
  limbs: u32,
  // The points of this dispatch: first <= i < end.
  first: u32,
  end: u32,
  windows: u32,
  // Digits of one window.
  stride: u32,
  buckets_per_window: u32,
  // Where the points' run begins among the bases.
  base_index: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> digits: array<u32>;
@group(0) @binding(2) var<storage, read> ranks: array<u32>;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
// Index of the base in the low 31 bits, the digit's sign in bit 31.
@group(0) @binding(4) var<storage, read_write> sorted: array<u32>;

const MAGNITUDE = 0x7fffffffu;
const NEGATIVE = 0x80000000u;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = params.first + id.x + id.y * groups.x * 256u;
  if (i >= params.end) {
    return;
  }
  for (var w = 0u; w < params.windows; w++) {
    let at = w * params.stride + i;
    let digit = digits[at];
    let magnitude = digit & MAGNITUDE;
    if (magnitude != 0u) {
      let bucket = w * params.buckets_per_window + magnitude - 1u;
      sorted[offsets[bucket] + ranks[at]] = (params.base_index + i) | (digit & NEGATIVE);
    }
  }
}
