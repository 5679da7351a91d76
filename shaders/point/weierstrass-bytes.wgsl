// Points of y^2 = x^3 + b in XYZZ coordinates (weierstrass.wgsl) for products of bytes: sums of bases alone. Such a product is large
// code, so that an addition is a loop around a single one.
//
// Bases lie in buffers as 16 x, 16 y in this form. That is a point (16 x, 64 y) of the curve with 4096 b, on which the formulas are the
// same: a sum's coordinates are X, Y / 4, ZZ and ZZZ of a point there. Values are below 1.5 p, those of subtractions below 1.001 p.

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

fn base_negate_if(b: Base, negative: bool) -> Base {
  if (negative) {
    return Base(b.x, field_negate(b.y));
  }
  return b;
}

// From and to the form of buffers, in which a sum (X, Y, ZZ, ZZZ) is 16 times these: (k^2 X, k^3 Y, k^2 ZZ, k^3 ZZZ) is the same
// point. From there with k = 4, and to there with k = 1 / 4.
fn point_from_buffer(x: Field, y: Field, zz: Field, zzz: Field) -> Point {
  return Point(field_times(x, 16i), field_times(y, 64i), zz, field_times(zzz, 4i));
}

fn point_for_buffer(p: Point) -> Point {
  return Point(p.x, p.y, field_times(p.zz, 16i), field_times(p.zzz, 16i));
}

// p + b: 10 products.
fn point_add_base(p: Point, b: Base) -> Point {
  if (field_is_plain_zero(p.zz)) {
    return Point(b.x, b.y, field_one(), field_one());
  }
  var x = p.x;
  var y = p.y;
  var zz = p.zz;
  var zzz = p.zzz;
  // At first the base; then h, and a quarter of r.
  var h = b.x;
  var r = b.y;
  var hh: Field;
  // params.limbs >> 8 is 0, but no compiler knows, so that the loop stays one.
  for (var step = 0u; step < 10u + (params.limbs >> 8u); step++) {
    var u: Field;
    var v: Field;
    switch (step) {
      case 0u: { u = h; v = zz; }
      case 1u: { u = r; v = zzz; }
      case 2u: { u = h; v = h; }
      case 3u: { u = zz; v = hh; }
      case 4u: { u = h; v = hh; }
      case 5u: { u = x; v = hh; }
      case 6u: { u = zzz; v = h; }
      case 7u: { u = y; v = h; }
      case 8u: { u = r; v = r; }
      default: { u = r; v = h; }
    }
    let w = field_mul(u, v);
    switch (step) {
      case 0u: { h = field_sub(w, x); }
      case 1u: { r = field_sub(w, y); }
      case 2u: { hh = w; }
      case 3u: { zz = w; }
      // From here h is h^3.
      case 4u: { h = w; }
      // From here x is q = X h^2.
      case 5u: { x = w; }
      case 6u: { zzz = w; }
      case 7u: { y = w; }
      // From here x is the new X, h is q - X.
      case 8u: {
        hh = field_x_of_sum(w, h, x);
        h = field_sub(x, hh);
        x = hh;
      }
      default: { y = field_sub(w, y); }
    }
  }
  // ZZ h^2 = 0 means that h = 0, and then X = r^2.
  if (field_is_zero(zz)) {
    if (field_is_zero(x)) {
      return point_double_base(b);
    }
    return point_identity();
  }
  return Point(x, y, zz, zzz);
}

// 2 b: the same computation with 8 Y for h, 12 X^2 for r, and without h^3 in X.
fn point_double_base(b: Base) -> Point {
  let h = field_times(b.y, 32i);
  let r = field_times(field_mul_slowly(b.x, b.x), 3i);
  let hh = field_mul_slowly(h, h);
  let hhh = field_mul_slowly(hh, h);
  let q = field_mul_slowly(hh, b.x);
  let x = field_x_of_sum(field_mul_slowly(r, r), field_zero(), q);
  let y = field_sub(field_mul_slowly(field_sub(q, x), r), field_mul_slowly(hhh, b.y));
  return Point(x, y, field_times(hh, 1i), field_times(hhh, 1i));
}
