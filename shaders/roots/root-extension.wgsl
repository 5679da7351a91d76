// y of a point from x and the sign of y over F_p^2 = F_p[u] / (u^2 + 1), by the complex method, as in
// wasm/curve/decompress.ts: with a = x^3 + b = a0 + a1 u and s^2 = a0^2 + a1^2, let d = (a0 + s) / 2, or (a0 - s) / 2
// if that is 0, and t = d^((p - 3) / 4). If d is a square, its root c = t d and e = a1 t / 2 are the parts of y,
// otherwise -e and c.
//
// - `compressed`: x in a .zkey's Montgomery form. The highest bit of its c1 is the lowest bit of c0 of y, or of c1 of y
//   if c0 is 0.
// - `roots`: y in the same form.
fn run(t: u32) {
  let at = t * 2u * WORDS;
  let given0 = field_unpack(words_of_x(at, false));
  let given1 = field_unpack(words_of_x(at + WORDS, true));
  let x0 = field_mul(given0, constant(FROM_ZKEY));
  let x1 = field_mul(given1, constant(FROM_ZKEY));
  let square0 = field_mul(field_add(x0, x1), field_sub(x0, x1));
  let half1 = field_mul(x0, x1);
  let square1 = field_add(half1, half1);
  // Below 6.5 and 4.5 p.
  let a0 = field_add(field_sub(field_mul(square0, x0), field_mul(square1, x1)), constant(B));
  let a1 = field_add(field_add(field_mul(square0, x1), field_mul(square1, x0)), constant(B + 1u));
  let norm = field_add(field_mul(a0, a0), field_mul(a1, a1));
  let s = field_mul(power(norm), norm);
  var sum = field_add(a0, s);
  if (field_is_zero(sum)) {
    sum = field_sub(a0, s);
  }
  let d = field_mul(sum, constant(HALF));
  let root = power(d);
  let c = field_mul(root, d);
  let e = field_mul(field_mul(root, a1), constant(HALF));
  var root0 = c;
  var root1 = e;
  if (!field_is_zero(field_sub(field_mul(c, c), d))) {
    root0 = field_sub(field_zero(), e);
    root1 = c;
  }
  let part0 = field_mul(field_add(root0, root1), field_sub(root0, root1));
  let part1 = field_mul(root0, root1);
  var is_point = is_below_modulus(given0) && is_below_modulus(given1) &&
    field_is_zero(field_sub_wide(part0, a0)) && field_is_zero(field_sub_wide(field_add(part1, part1), a1));
  var y0 = field_canonical(field_mul(root0, constant(TO_ZKEY)));
  var y1 = field_canonical(field_mul(root1, constant(TO_ZKEY)));
  let is_first_zero = field_is_plain_zero(y0);
  if ((select(y0.v[0], y1.v[0], is_first_zero) & 1u) != sign_of_y(at + 2u * WORDS)) {
    // 0 has no other sign.
    is_point &= !(is_first_zero && field_is_plain_zero(y1));
    y0 = field_canonical(field_sub(field_zero(), y0));
    y1 = field_canonical(field_sub(field_zero(), y1));
  }
  store_root(at, y0, is_point);
  store_root(at + WORDS, y1, is_point);
}
