// Point k of a bucket at a later level: what the level before has left, in the form of bases.
fn load_point(bucket: u32, k: u32) -> Base {
  return base_load(place_of(bucket, params.level) + k);
}
