// The butterflies of an NTT over points: a + w b and a - w b for each pair, to accumulators t and `rows` + t, counted
// from `offset`.
//
// - `bases`: the points a; zeros for infinity.
// - `sums`: the products w b.

fn run(t: u32) {
  let row = t - params.offset;
  var first = point_of_base(base_load(place_of_pair(t)));
  var second = load_sum(row);
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
  for (var side = 0u; side < 2u + (params.limbs >> 8u); side++) {
    if (side == 1u) {
      second.y = coordinate_negate(second.y);
    }
    store_multiple(side * params.rows + row, point_double_or_add(first, second, true));
  }
}
