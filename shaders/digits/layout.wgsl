// What the stages that work on digits have in common. Scalar i belongs to point i % points, and to multiplication
// i / points of those that are worked on together.

struct Params {
  limbs: u32,
  // The scalars of this dispatch: first <= i < end.
  first: u32,
  end: u32,
  points: u32,
  window_bits: u32,
  // The windows of the pass: first_window <= w < first_window + windows.
  first_window: u32,
  windows: u32,
  buckets_per_window: u32,
  // Where the points' run begins among the bases.
  base_index: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

const MAGNITUDE = 0x7fffffffu;
const NEGATIVE = 0x80000000u;

// Where the pass keeps what belongs to a window of scalar i: for each multiplication, window after window.
fn digit_row(i: u32, window: u32) -> u32 {
  return ((i / params.points) * params.windows + window) * params.points + i % params.points;
}

fn bucket_of_digit(i: u32, window: u32, magnitude: u32) -> u32 {
  return ((i / params.points) * params.windows + window) * params.buckets_per_window + magnitude - 1u;
}
