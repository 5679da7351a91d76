// Points of the first level: bases, by their entries of the sorted list, which have the sign in bit 31. Coordinates are
// below p.

const INDEX = 0x7fffffffu;

fn x_of(entry: u32) -> Field {
  return load_base_coordinate((sorted[entry] & INDEX) * 2u * VECTORS);
}

fn y_of(entry: u32) -> Field {
  let item = sorted[entry];
  let y = load_base_coordinate((item & INDEX) * 2u * VECTORS + VECTORS);
  if (item > INDEX) {
    return field_negate(y);
  }
  return y;
}
