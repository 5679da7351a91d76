// Gathers the scalars of some points, from which their digits are then cut. One thread per point.
//
// - `scalars`: 32 bytes each; the points' scalars are among the ones from `first_scalar` on.
// - `indices`: for each point the index of its scalar, relative to `first_scalar`; the first point is at `first_index`.
// - `source`: the points' scalars.

fn run(t: u32) {
  let at = 2u * (params.first_scalar + indices[params.first_index + t]);
  source[2u * t] = scalars[at];
  source[2u * t + 1u] = scalars[at + 1u];
}
