// Point k of a bucket at the first level: a base of the sorted list, with its sign. Coordinates below p.
fn load_point(bucket: u32, k: u32) -> Base {
  let item = sorted[offsets[bucket] + k];
  let base = base_load(item & 0x7fffffffu);
  if (item > 0x7fffffffu) {
    return Base(base.x, field_canonical(field_sub(field_zero(), base.y)));
  }
  return base;
}
