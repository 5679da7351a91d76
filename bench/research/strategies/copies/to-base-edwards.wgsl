// A sum in the form of a base: y - x, y + x, 2 d x y of its affine coordinates.
fn base_of_point(p: Point) -> Base {
  let i = field_inverse(p.z);
  let x = field_mul(p.x, i);
  let y = field_mul(p.y, i);
  return Base(field_sub(y, x), field_add(y, x), field_mul(field_mul(x, y), field_two_d()));
}
