// Copies the scalars of some points to where their digits are cut. One thread a point.
//
// - `scalars`: 32 bytes each, of which those from `first_scalar` on are the points'.
// - `indices`: for each point the number of its scalar among these; the points begin with number `first_index`.
// - `source`: the scalars of the points.

fn run(t: u32) {
  let at = 2u * (params.first_scalar + indices[params.first_index + t]);
  source[2u * t] = scalars[at];
  source[2u * t + 1u] = scalars[at + 1u];
}
