// Pairs of points in `points` (sdk/executors/gpu/points/pair-run.ts): pair t is pair t / `blocks` of block t % `blocks`
// of those that are computed. Threads of one subgroup so have the same factor wherever there are many blocks.

// The place of the first point of pair t; the second is `distance` behind it.
fn place_of_pair(t: u32) -> u32 {
  return params.skipped + (t % params.blocks) * 2u * params.distance + t / params.blocks;
}

// The number of pair t's factor. A block that is the first of its domain has a number that is a power of two, and
// where results are divided by the domain's size its own factors.
fn factor_of_pair(t: u32) -> u32 {
  let pair = t / params.blocks;
  let block = params.first_block + t % params.blocks;
  if (params.divided != NOT_DIVIDED && (block & (block - 1u)) == 0u) {
    return params.divided + block * (params.distance + pair);
  }
  return pair * params.step;
}

// Whether pair t's factor is 1, because factors are powers of a root of unity.
fn factor_is_one(t: u32) -> bool {
  return params.are_roots == 1u && factor_of_pair(t) == 0u;
}
