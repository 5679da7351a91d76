// The multiples P, 2 P, .. MULTIPLES P of each base, with which its scalar's digits are added (ladder.wgsl): multiple d
// of base t is at (d - 1) * rows + t. A base of zeros is infinity, and so are its multiples.
//
// - `bases`: affine points.

fn run(t: u32) {
  let first = point_of_base(base_load(t));
  var multiple = first;
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
  for (var d = 0u; d < MULTIPLES + (params.limbs >> 8u); d++) {
    if (d > 0u) {
      multiple = point_double_or_add(multiple, first, d > 1u);
    }
    store_multiple(d * params.rows + t, multiple);
  }
}
