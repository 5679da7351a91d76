// Cuts scalars into signed digits: sum d_w 2^(c w) = k with -2^(c-1) < d_w <= 2^(c-1).
// One thread a scalar. A digit is kept as |d| in the low 31 bits and its sign in bit 31, window after window.

struct Params {
  limbs: u32,
  // The scalars of this dispatch: first <= i < end.
  first: u32,
  end: u32,
  window_bits: u32,
  // The windows that are kept: first_window <= w < end_window.
  first_window: u32,
  end_window: u32,
  // Digits of one window.
  stride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scalars: array<u32>;
@group(0) @binding(2) var<storage, read_write> digits: array<u32>;

const SCALAR_WORDS = 8u;
const NEGATIVE = 0x80000000u;

// `window_bits` (at most 20) bits of scalar i from `bit` on; zeros beyond its end.
fn scalar_bits(i: u32, bit: u32) -> u32 {
  let word = bit >> 5u;
  let shift = bit & 31u;
  if (word >= SCALAR_WORDS) {
    return 0u;
  }
  var bits = scalars[i * SCALAR_WORDS + word] >> shift;
  if (shift + params.window_bits > 32u && word + 1u < SCALAR_WORDS) {
    bits |= scalars[i * SCALAR_WORDS + word + 1u] << (32u - shift);
  }
  return bits & ((1u << params.window_bits) - 1u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = params.first + id.x + id.y * groups.x * 256u;
  if (i >= params.end) {
    return;
  }
  let base = 1u << params.window_bits;
  var carry = 0u;
  // The carry runs through the windows below those that are kept.
  for (var w = 0u; w < params.end_window; w++) {
    let low = scalar_bits(i, w * params.window_bits) + carry;
    carry = select(0u, 1u, low > base / 2u);
    if (w >= params.first_window) {
      let negative = carry == 1u && low < base;
      let digit = select(low, (base - low) | select(0u, NEGATIVE, negative), carry == 1u);
      digits[(w - params.first_window) * params.stride + i] = digit;
    }
  }
}
