// 2 p, or p + q, by one copy of the iterations of weierstrass-extension.wgsl; complete for all inputs.
fn point_double_or_add(p: Point, q: Point, adds: bool) -> Point {
  if (point_is_identity(p)) {
    if (adds) {
      return q;
    }
    return p;
  }
  var other = q;
  var begin = OVER_ANY;
  var end = OVER_ANY_END;
  if (!adds) {
    // Differences of 0 double p.
    other = point_identity();
    begin = H_AND_R_ARE_KNOWN;
    end = OVER_ONE_END;
  } else if (point_is_identity(q)) {
    return p;
  }
  return point_sum(p, other, begin, end);
}
