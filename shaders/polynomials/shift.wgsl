// Element i of the result is element rev(i) of `values` times b^rev(i) (with `rises`, before a coset NTT) or times b^i
// (after an inverse NTT); rev reverses the `log` bits of i. More than 2^log values are first reduced modulo X^(2^log) -
// f, in `folds` runs of 2^log values; missing values are 0. `powers` has f, then the 2^`low_bits` lowest powers of b,
// then the powers b^(k 2^low_bits) for all k, times a constant factor of all elements.

fn value_at(i: u32) -> Field {
  if (i < params.length) {
    return element_from(values[2u * i], values[2u * i + 1u]);
  }
  return field_zero();
}

fn run(i: u32) {
  let reversed = (reverseBits(i) >> 1u) >> (31u - params.log);
  let exponent = select(i, reversed, params.rises == 1u);
  var x = value_at(reversed + ((params.folds - 1u) << params.log));
  for (var k = 1u; k < params.folds + 2u; k++) {
    var at = 0u;
    if (k == params.folds) {
      at = 1u + (exponent & ((1u << params.low_bits) - 1u));
    } else if (k > params.folds) {
      at = 1u + (1u << params.low_bits) + (exponent >> params.low_bits);
    }
    x = field_mul(x, element_from(powers[2u * at], powers[2u * at + 1u]));
    if (k < params.folds) {
      x = field_add(x, value_at(reversed + ((params.folds - 1u - k) << params.log)));
    }
  }
  let packed = field_pack(field_canonical(x));
  result[2u * i] = low_words(packed);
  result[2u * i + 1u] = high_words(packed);
}
