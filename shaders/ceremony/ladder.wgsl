// Each base times its scalar, by signed windows of four bits from the highest on: four doublings, then the addition of
// one of the base's multiples (multiples.wgsl). Recoded scalars have 8 added in every window: a window's four bits
// minus 8 are its signed digit, -8 to 7.
//
// - `scalars`: 8 words each; one for each base, or with `stride` 0 one for all.

const STEPS_OF_WINDOW = 5u;

fn run(t: u32) {
  var sum = point_identity();
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
  for (var step = 0u; step < WINDOWS * STEPS_OF_WINDOW + (params.limbs >> 8u); step++) {
    let window = WINDOWS - 1u - step / STEPS_OF_WINDOW;
    let adds = step % STEPS_OF_WINDOW == STEPS_OF_WINDOW - 1u;
    var other = point_identity();
    if (adds) {
      let word = scalars[t * params.stride * 8u + window / 8u];
      let digit = i32((word >> (4u * (window % 8u))) & 15u) - 8;
      if (digit == 0) {
        continue;
      }
      other = load_multiple((u32(abs(digit)) - 1u) * params.rows + t);
      if (digit < 0) {
        other.y = coordinate_negate(other.y);
      }
    }
    sum = point_double_or_add(sum, other, adds);
  }
  store_sum(t, sum);
}
