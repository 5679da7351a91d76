// Numbers c0 + c1 u of F_p^2 = F_p[u] / (u^2 + 1), both parts alike; `field2_mul` and what it needs are generated. Loops over the parts stay
// loops, because no compiler knows that params.limbs >> 8 is 0.

fn field2_join(c0: Kept, c1: Kept) -> Field2 {
  return Field2(array<Kept, 2>(c0, c1));
}

fn field2_of(c0: Field, c1: Field) -> Field2 {
  return field2_join(field_keep(c0), field_keep(c1));
}

fn field2_one() -> Field2 {
  return field2_of(field_one(), field_zero());
}

// 0 as it is set, not a multiple of p.
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
