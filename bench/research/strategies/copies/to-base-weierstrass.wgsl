// A sum, which is not infinity, in the form of a base. With i = 1 / ZZZ, 1 / ZZ is (ZZ i)^2, since ZZ^3 = ZZZ^2.
fn base_of_point(p: Point) -> Base {
  let i = field_inverse(p.zzz);
  let z = field_mul(p.zz, i);
  return Base(field_mul(p.x, field_mul(z, z)), field_mul(p.y, i));
}
