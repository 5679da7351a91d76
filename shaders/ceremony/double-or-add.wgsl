// 2 p, or p + q, by one copy of the formulas of weierstrass.wgsl, whose bounds hold for both; complete for all inputs.
fn point_double_or_add(p: Point, q: Point, adds: bool) -> Point {
  if (point_is_identity(p)) {
    if (adds) {
      return q;
    }
    return p;
  }
  if (adds && point_is_identity(q)) {
    return p;
  }
  var x = p.x;
  var y = p.y;
  var zz = p.zz;
  var zzz = p.zzz;
  // Differences of 0 double p.
  var h = field_zero();
  var r = field_zero();
  if (adds) {
    x = field_mul(p.x, q.zz);
    y = field_mul(p.y, q.zzz);
    h = field_sub(field_mul(q.x, p.zz), x);
    r = field_sub(field_mul(q.y, p.zzz), y);
    zz = field_mul(p.zz, q.zz);
    zzz = field_mul(p.zzz, q.zzz);
  }
  return point_finish_sum(x, y, zz, zzz, h, r);
}
