// Elements c0 + c1 u of F_p^2 = F_p[u] / (u^2 + 1), both parts in the same form; `field2_mul` and its helpers are
// generated. The compiler does not unroll loops over the parts, because it cannot know that params.limbs >> 8 is 0.

fn field2_join(c0: Kept, c1: Kept) -> Field2 {
  return Field2(array<Kept, 2>(c0, c1));
}

fn field2_of(c0: Field, c1: Field) -> Field2 {
  return field2_join(field_keep(c0), field_keep(c1));
}

fn field2_one() -> Field2 {
  return field2_of(field_one(), field_zero());
}

// Whether a is a literal 0; false for other multiples of p.
fn field2_is_plain_zero(a: Field2) -> bool {
  return field_is_plain_zero(field_of(a.c[0])) && field_is_plain_zero(field_of(a.c[1]));
}

// Whether both parts are multiples of p.
fn field2_is_zero(a: Field2) -> bool {
  var is_zero = true;
  for (var part = 0u; part < 2u + (params.limbs >> 8u); part++) {
    is_zero &= field_is_zero(field_of(a.c[part]));
  }
  return is_zero;
}

// -a, for parts of at most p.
fn field2_negate(a: Field2) -> Field2 {
  var result: Field2;
  for (var part = 0u; part < 2u + (params.limbs >> 8u); part++) {
    result.c[part] = field_keep(field_negate(field_of(a.c[part])));
  }
  return result;
}

// a - b - 2 d.
fn field2_minus(a: Field2, b: Field2, d: Field2) -> Field2 {
  var result: Field2;
  for (var part = 0u; part < 2u + (params.limbs >> 8u); part++) {
    result.c[part] = field_keep(field_minus(field_of(a.c[part]), field_of(b.c[part]), field_of(d.c[part])));
  }
  return result;
}
