// Points of y^2 = x^3 + a x + b in XYZZ coordinates: x = X / ZZ, y = Y / ZZZ, ZZ^3 = ZZZ^2; ZZ = 0 is the point at
// infinity. Formulas: Explicit-Formulas Database, short Weierstrass, xyzz: madd-2008-s, add-2008-s, dbl-2008-s-1.
// Complete for all inputs.
//
// Bounds, for R > 84 p (field_mul gives less than (A B / 84 + 1) p): an accumulator has X < 6 p, Y < 4 p and ZZ, ZZZ <
// 2 p; a base x < p and y <= 4 p. ZZ is a product of values that p does not divide or a literal 0: no other multiple of
// p stands for 0.

struct Point {
  x: Field,
  y: Field,
  zz: Field,
  zzz: Field,
}

struct Base {
  x: Field,
  y: Field,
}

fn point_identity() -> Point {
  return Point();
}

fn point_is_identity(p: Point) -> bool {
  return field_is_plain_zero(p.zz);
}

fn point_from_buffer(x: Field, y: Field, zz: Field, zzz: Field) -> Point {
  return Point(x, y, zz, zzz);
}

fn point_for_buffer(p: Point) -> Point {
  return p;
}

fn base_negate_if(b: Base, negative: bool) -> Base {
  if (negative) {
    return Base(b.x, field_sub(field_zero(), b.y));
  }
  return b;
}

fn point_from_base(b: Base) -> Point {
  return Point(b.x, b.y, field_one(), field_one());
}

// p + b: 8 products and 2 squares; two of the products share one reduction.
fn point_add_base(p: Point, b: Base) -> Point {
  if (point_is_identity(p)) {
    return point_from_base(b);
  }
  // Products below (4 * 2 / 84 + 1) p < 1.1 p, so differences below 9.1 p.
  let h = field_sub_wide(field_mul(b.x, p.zz), p.x);
  let r = field_sub_wide(field_mul(b.y, p.zzz), p.y);
  return point_finish_sum(p.x, p.y, p.zz, p.zzz, h, r);
}

// p + q: 12 products and 2 squares; two of the products share one reduction.
fn point_add(p: Point, q: Point) -> Point {
  if (point_is_identity(p)) {
    return q;
  }
  if (point_is_identity(q)) {
    return p;
  }
  // All four below (6 * 2 / 84 + 1) p < 1.2 p; differences below 5.2 p.
  let u = field_mul(p.x, q.zz);
  let s = field_mul(p.y, q.zzz);
  let h = field_sub(field_mul(q.x, p.zz), u);
  let r = field_sub(field_mul(q.y, p.zzz), s);
  return point_finish_sum(u, s, field_mul(p.zz, q.zz), field_mul(p.zzz, q.zzz), h, r);
}

// The sum of (x, y) over the denominators zz, zzz and a point whose coordinates over the same denominators are x + h, y
// + r. h = r = 0 means that the points are equal. Then doubling is the same computation with 2 y for h, 3 x^2 + a zz^2
// for r, and without h^3 in X. x, y < 6 p; zz, zzz < 2 p; h, r < 9.1 p.
fn point_finish_sum(x: Field, y: Field, zz: Field, zzz: Field, h_in: Field, r_in: Field) -> Point {
  var h = h_in;
  var r = r_in;
  var is_double = false;
  if (field_is_zero(h)) {
    if (!field_is_zero(r)) {
      return point_identity();
    }
    is_double = true;
    // 12 p, and, for a <= 4, (3 * (36 / 84 + 1) + 4 * (4 / 84 + 1)) p < 8.5 p.
    h = field_add(y, y);
    r = curve_slope(x, zz);
  }
  // h^2 < (144 / 84 + 1) p < 2.8 p, h^3 < (12 * 2.8 / 84 + 1) p < 1.4 p, q < (6 * 2.8 / 84 + 1) p = 1.2 p
  let hh = field_sqr(h);
  let hhh = field_mul(h, hh);
  let q = field_mul(x, hh);
  // The subtrahend: below 3.8 p.
  var taken = field_add(q, q);
  if (!is_double) {
    taken = field_add(taken, hhh);
  }
  // r^2 < (9.1^2 / 84 + 1) p < 2 p, so X < 6 p.
  let x3 = field_sub(field_sqr(r), taken);
  // q - X < 9.2 p, 8 p - y <= 8 p, so Y < ((9.1 * 9.2 + 8 * 1.4) / 84 + 1) p < 2.2 p with one reduction and 3.2 p with
  // two.
  let y3 = field_mul_pair(r, field_sub_wide(q, x3), field_sub_wide(field_zero(), y), hhh);
  return Point(x3, y3, field_mul(zz, hh), field_mul(zzz, hhh));
}
