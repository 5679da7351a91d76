// With byte products, values in buffers are scaled by F = u^2, where F is BUFFER_FACTOR and u BUFFER_FACTOR_ROOT. The
// group law of weierstrass-extension.wgsl then adds the points (F x, u^3 y) of the curve with F^3 b, for which the
// formulas are the same.
//
// Values from buffers are below 2 p, a base's at most p; after a multiplication by a factor they are below 1.001 p, as
// the group law requires. A factor is at most 64, so that no multiple exceeds 400 p.

fn field2_times(a: Field2, k: i32) -> Field2 {
  var result: Field2;
  for (var part = 0u; part < 2u + (params.limbs >> 8u); part++) {
    result.c[part] = field_keep(field_times(field_of(a.c[part]), k));
  }
  return result;
}

fn base_from_buffer(b: Base) -> Base {
  return Base(b.x, field2_times(b.y, BUFFER_FACTOR_ROOT));
}

// A point (X, Y, ZZ, ZZZ) is (F X, u^3 Y) over (ZZ, ZZZ) on that curve. From F times all four: F (F X), F F (F Y), F ZZ
// and u (F ZZZ), which is (k^2 X, k^3 Y, k^2 ZZ, k^3 ZZZ) with k = F, the same point.
fn point_from_buffer(x: Field2, y: Field2, zz: Field2, zzz: Field2) -> Point {
  return Point(
    field2_times(x, BUFFER_FACTOR),
    field2_times(field2_times(y, BUFFER_FACTOR), BUFFER_FACTOR),
    field2_times(zz, 1i),
    field2_times(zzz, BUFFER_FACTOR_ROOT),
  );
}

// The inverse: (X, Y, ZZ, ZZZ) on that curve is (X, Y, F ZZ, u^3 ZZZ) in buffers, F times each.
fn point_for_buffer(p: Point) -> Point {
  let zzz = field2_times(field2_times(p.zzz, BUFFER_FACTOR_ROOT), BUFFER_FACTOR);
  return Point(
    field2_times(p.x, BUFFER_FACTOR),
    field2_times(p.y, BUFFER_FACTOR),
    field2_times(field2_times(p.zz, BUFFER_FACTOR), BUFFER_FACTOR),
    field2_times(zzz, BUFFER_FACTOR),
  );
}
