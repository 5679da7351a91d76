// Points of -X^2 + Y^2 = 1 + d X^2 Y^2 in extended coordinates (X, Y, Z, T), T = X Y / Z; the neutral element is (0, 1,
// 1, 0). One formula covers all cases for points of odd order. Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards
// Curves Revisited" (2008/522), section 3.1.
//
// Bounds, for R > 64 p (field_mul gives less than (A B / 64 + 1) p): an accumulator's coordinates are below 2 p, a
// base's at most 4 p; no intermediate value exceeds 8 p.

struct Point {
  x: Field,
  y: Field,
  z: Field,
  t: Field,
}

// Y - X, Y + X, 2 d X Y.
struct Base {
  minus: Field,
  plus: Field,
  t: Field,
}

fn point_identity() -> Point {
  return Point(field_zero(), field_one(), field_one(), field_zero());
}

// All-zero words are the neutral element.
fn point_from_buffer(x: Field, y: Field, z: Field, t: Field) -> Point {
  if (field_is_plain_zero(z)) {
    return point_identity();
  }
  return Point(x, y, z, t);
}

fn point_for_buffer(p: Point) -> Point {
  return p;
}

fn base_negate_if(b: Base, negative: bool) -> Base {
  if (negative) {
    return Base(b.plus, b.minus, field_sub(field_zero(), b.t));
  }
  return b;
}

// p + b: 7 products.
fn point_add_base(p: Point, b: Base) -> Point {
  let u = field_mul(field_sub(p.y, p.x), b.minus);
  let v = field_mul(field_add(p.y, p.x), b.plus);
  return point_finish_sum(u, v, field_mul(p.t, b.t), field_add(p.z, p.z));
}

// p + q: 9 products.
fn point_add(p: Point, q: Point) -> Point {
  let u = field_mul(field_sub(p.y, p.x), field_sub(q.y, q.x));
  let v = field_mul(field_add(p.y, p.x), field_add(q.y, q.x));
  let z = field_mul(p.z, q.z);
  return point_finish_sum(u, v, field_mul(field_mul(p.t, q.t), field_two_d()), field_add(z, z));
}

// u = (Y1 - X1)(Y2 - X2), v = (Y1 + X1)(Y2 + X2), c = 2 d T1 T2, all below 1.6 p, and z = 2 Z1 Z2 < 4 p. So e < 5.6 p,
// f < 8 p, g < 5.6 p and h < 3.2 p, and a coordinate is below (5.6 * 8 / 64 + 1) p.
fn point_finish_sum(u: Field, v: Field, c: Field, z: Field) -> Point {
  let e = field_sub(v, u);
  let f = field_sub(z, c);
  let g = field_add(z, c);
  let h = field_add(v, u);
  return Point(field_mul(e, f), field_mul(g, h), field_mul(f, g), field_mul(e, h));
}
