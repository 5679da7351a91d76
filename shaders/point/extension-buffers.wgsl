// With limb products, values in buffers are in the form that weierstrass-extension.wgsl computes with.

fn base_from_buffer(b: Base) -> Base {
  return b;
}

fn point_from_buffer(x: Field2, y: Field2, zz: Field2, zzz: Field2) -> Point {
  return Point(x, y, zz, zzz);
}

fn point_for_buffer(p: Point) -> Point {
  return p;
}
