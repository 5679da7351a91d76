// Sets the flag if element i is not 0.

fn run(i: u32) {
  let w = field_pack(field_canonical(element_from(values[2u * i], values[2u * i + 1u])));
  if ((w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0u) {
    atomicOr(&flags[0], 1u);
  }
}
