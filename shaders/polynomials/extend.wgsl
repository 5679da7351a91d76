// Row i sets a value to the sum of two multiples of others, which are known already.

fn product(row: u32, operand: u32) -> Field {
  let at = 2u * rows[3u * row + operand];
  let factor = 2u * (2u * row + operand);
  return field_mul(element_from(values[at], values[at + 1u]), element_from(factors[factor], factors[factor + 1u]));
}

fn run(i: u32) {
  let packed = field_pack(field_canonical(field_add(product(i, 0u), product(i, 1u))));
  let to = 2u * rows[3u * i + 2u];
  values[to] = low_words(packed);
  values[to + 1u] = high_words(packed);
}
