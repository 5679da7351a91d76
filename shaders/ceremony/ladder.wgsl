// The second point P of each pair times its factor k1 + k2 lambda, as k1 P + k2 Q with its image Q under the
// endomorphism: by signed windows of four bits of both halves from the highest on, four doublings, then the additions
// of one of the multiples of P (multiples.wgsl) and of the image of one. Recoded halves have 8 added in every window: a
// window's four bits minus 8 are its signed digit, -8 to 7.
//
// - `factors`: 8 words each, four for each half, the lowest first.

const STEPS_OF_WINDOW = 6u;
const DOUBLINGS = 4u;

fn run(t: u32) {
  let row = t - params.offset;
  if (factor_is_one(t)) {
    store_sum(row, point_of_base(base_load(place_of_pair(t) + params.distance)));
    return;
  }
  let words = factor_of_pair(t) * 8u;
  var sum = point_identity();
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
  for (var step = 0u; step < WINDOWS * STEPS_OF_WINDOW + (params.limbs >> 8u); step++) {
    let window = WINDOWS - 1u - step / STEPS_OF_WINDOW;
    let part = step % STEPS_OF_WINDOW;
    var other = point_identity();
    if (part >= DOUBLINGS) {
      let which = part - DOUBLINGS;
      let word = factors[words + 4u * which + window / 8u];
      let digit = i32((word >> (4u * (window % 8u))) & 15u) - 8;
      if (digit == 0) {
        continue;
      }
      other = load_multiple((u32(abs(digit)) - 1u) * params.rows + row);
      if (which == 1u) {
        other.x = coordinate_image(other.x);
      }
      if (digit < 0) {
        other.y = coordinate_negate(other.y);
      }
    }
    sum = point_double_or_add(sum, other, part >= DOUBLINGS);
  }
  store_sum(row, sum);
}
