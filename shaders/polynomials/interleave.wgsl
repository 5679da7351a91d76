// Element i of `values` becomes element i `stride` + `offset` of the result.

fn run(i: u32) {
  let to = 2u * (i * params.stride + params.offset);
  result[to] = values[2u * i];
  result[to + 1u] = values[2u * i + 1u];
}
