// Copy j of the bases from copy j - 1, which lies `count` bases before it: 2^doublings times each. One thread a base of the new copy, by its
// number in the buffer.

fn run(t: u32) {
  var p = point_add_base(point_identity(), base_load(t - params.count));
  for (var k = 0u; k < params.doublings; k++) {
    p = point_add(p, p);
  }
  store_base(t, base_of_point(p));
}
