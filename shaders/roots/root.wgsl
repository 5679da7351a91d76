// y of a point from x and the lowest bit of y, over F_p with p = 3 (mod 4): a root of a = x^3 + b, where it has one, is
// a a^((p - 3) / 4).
//
// - `compressed`: x in a .zkey's Montgomery form, with the sign of y in the highest bit.
// - `roots`: y in the same form.
fn run(t: u32) {
  let at = t * WORDS;
  let given = field_unpack(words_of_x(at, true));
  let x = field_mul(given, constant(FROM_ZKEY));
  let a = field_add(field_mul(field_mul(x, x), x), constant(B));
  let root = field_mul(power(a), a);
  var is_point = is_below_modulus(given) && field_is_zero(field_sub(field_mul(root, root), a));
  var y = field_canonical(field_mul(root, constant(TO_ZKEY)));
  if ((y.v[0] & 1u) != sign_of_y(at + WORDS)) {
    // 0 has no other sign.
    is_point &= !field_is_plain_zero(y);
    y = field_canonical(field_sub(field_zero(), y));
  }
  store_root(at, y, is_point);
}
