// Points of a later level: what the level before has left, by their places. Coordinates are below 1.001 p.

fn x_of(place: u32) -> Field {
  return load_base_coordinate(place * 2u * VECTORS);
}

fn y_of(place: u32) -> Field {
  return load_base_coordinate(place * 2u * VECTORS + VECTORS);
}
