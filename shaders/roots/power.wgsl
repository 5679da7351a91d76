// A number of `constants` in Montgomery form with the kernel's R.
fn constant(index: u32) -> Field {
  return field_unpack(words_of_constant(index * WORDS));
}

// a^((p - 3) / 4) by windows of the exponent's bits: each of `params.steps` words of `constants` says whether the power
// is squared or multiplied by an odd power of a. One loop has all products, and no compiler unrolls it.
fn power(a: Field) -> Field {
  var odd: array<Field, ODD_POWERS>;
  let square = field_mul(a, a);
  odd[0] = a;
  for (var i = 1u; i < ODD_POWERS + (params.limbs >> 8u); i++) {
    odd[i] = field_mul(odd[i - 1u], square);
  }
  var result = odd[constants[STEPS_AT]];
  for (var i = 1u; i < params.steps; i++) {
    let place = constants[STEPS_AT + i];
    var factor = result;
    if (place != SQUARE) {
      factor = odd[place];
    }
    result = field_mul(result, factor);
  }
  return result;
}

// The words of coordinate c of x, without the sign of y.
fn words_of_x(at: u32, is_last: bool) -> array<u32, WORDS> {
  var words = words_of_compressed(at);
  if (is_last) {
    words[WORDS - 1u] &= 0x7fffffffu;
  }
  return words;
}

fn sign_of_y(end: u32) -> u32 {
  return compressed[end - 1u] >> 31u;
}

// Whether a number that was unpacked from words is below p.
fn is_below_modulus(a: Field) -> bool {
  let canonical = field_canonical(a);
  var difference = 0u;
  for (var i = 0u; i < LIMBS; i++) {
    difference |= canonical.v[i] ^ a.v[i];
  }
  return difference == 0u;
}

// y in a .zkey's form, with ones in all bits if there is no such point.
fn store_root(at: u32, y: Field, is_point: bool) {
  let words = field_pack(y);
  for (var i = 0u; i < WORDS; i++) {
    roots[at + i] = select(NO_ROOT, words[i], is_point);
  }
}
