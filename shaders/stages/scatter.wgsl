// Puts every nonzero digit's point to its place in the list that is sorted by bucket: the bucket's offset plus the rank.
// One thread a scalar.

@group(0) @binding(2) var<storage, read> ranks: array<u32>;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
// Index of the base in the low 31 bits, the digit's sign in bit 31.
@group(0) @binding(4) var<storage, read_write> sorted: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = params.first + id.x + id.y * groups.x * 256u;
  if (i >= params.end) {
    return;
  }
  let base = params.base_index + i % params.points;
  var carry = 0u;
  for (var w = 0u; w < params.first_window + params.windows; w++) {
    let digit = next_digit(i, w, &carry);
    let magnitude = digit & MAGNITUDE;
    if (w >= params.first_window && magnitude != 0u) {
      let window = w - params.first_window;
      let rank = ranks[digit_row(i, window)];
      sorted[offsets[bucket_of_digit(i, window, magnitude)] + rank] = base | (digit & NEGATIVE);
    }
  }
}
