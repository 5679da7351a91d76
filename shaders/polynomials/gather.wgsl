// Element i of the result is the element whose index is number i of the list.

fn run(i: u32) {
  let at = 2u * indices[i];
  result[2u * i] = values[at];
  result[2u * i + 1u] = values[at + 1u];
}
