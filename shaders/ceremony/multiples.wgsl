// The multiples P, 2 P, .. MULTIPLES P of the second point of each pair, with which its factor's digits are added
// (ladder.wgsl): multiple d of pair t is at (d - 1) * rows + t - `offset`. A point of zeros is infinity, and so are its
// multiples. None are computed where the factor is 1.
//
// - `bases`: affine points.

fn run(t: u32) {
  if (factor_is_one(t)) {
    return;
  }
  let first = point_of_base(base_load(place_of_pair(t) + params.distance));
  var multiple = first;
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
  for (var d = 0u; d < MULTIPLES + (params.limbs >> 8u); d++) {
    if (d > 0u) {
      multiple = point_double_or_add(multiple, first, d > 1u);
    }
    store_multiple(d * params.rows + t - params.offset, multiple);
  }
}
