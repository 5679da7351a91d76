// Batch inversion (Montgomery's trick): thread t inverts the elements t, t + `threads`, .. below `count`. Their product
// is inverted by a power with the exponent p - 2 (Fermat), of which `constants` has the words after the element 1. 0
// becomes 0.

fn value_at(i: u32) -> Field {
  return element_from(values[2u * i], values[2u * i + 1u]);
}

fn is_zero(a: Field) -> bool {
  let w = field_pack(field_canonical(a));
  return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) == 0u;
}

fn run(t: u32) {
  let one = element_from(constants[0], constants[1]);
  // The products of the elements before each one.
  var product = one;
  var end = t;
  for (; end < params.count; end += params.threads) {
    let packed = field_pack(product);
    result[2u * end] = low_words(packed);
    result[2u * end + 1u] = high_words(packed);
    let value = value_at(end);
    if (!is_zero(value)) {
      product = field_mul(product, value);
    }
  }
  // Each bit of the exponent, from the highest, takes a square and perhaps a product.
  var power = one;
  for (var step = 0u; step < 512u; step++) {
    let bit = 255u - step / 2u;
    let is_square = (step & 1u) == 0u;
    if (is_square || ((constants[2u + bit / 128u][(bit / 32u) % 4u] >> (bit % 32u)) & 1u) == 1u) {
      var other = product;
      if (is_square) {
        other = power;
      }
      power = field_mul(power, other);
    }
  }
  for (var i = end; i > t;) {
    i -= params.threads;
    let value = value_at(i);
    var inverted = field_zero();
    if (!is_zero(value)) {
      inverted = field_mul(power, element_from(result[2u * i], result[2u * i + 1u]));
      power = field_mul(power, value);
    }
    let packed = field_pack(field_canonical(inverted));
    result[2u * i] = low_words(packed);
    result[2u * i + 1u] = high_words(packed);
  }
}
