// Element i becomes (a b / R - c) f / R + m, canonical: a, b, c and m are element i of `a`, `b`, `subtracted` (if
// `subtracts` is 1) and `added` (if `adds` is 1), and f is element `factor` of `factors`. The products are iterations
// of a loop whose count is a uniform, so that the code has only one.

fn run(i: u32) {
  var x = element_from(a[2u * i], a[2u * i + 1u]);
  var y = element_from(b[2u * i], b[2u * i + 1u]);
  for (var k = 0u; k < params.products; k++) {
    x = field_mul(x, y);
    if (k < params.subtracts) {
      x = field_sub(x, element_from(subtracted[2u * i], subtracted[2u * i + 1u]));
    }
    y = element_from(factors[2u * params.factor], factors[2u * params.factor + 1u]);
  }
  if (params.adds == 1u) {
    x = field_add(x, element_from(added[2u * i], added[2u * i + 1u]));
  }
  let packed = field_pack(field_canonical(x));
  result[2u * i] = low_words(packed);
  result[2u * i + 1u] = high_words(packed);
}
