// Points of y^2 = x^3 + a x + b in XYZZ coordinates (weierstrass.wgsl) with byte products, only for adding bases to
// accumulators. A byte product is large code, so an addition is a loop around a single one.
//
// In buffers, bases are F x, F y in this form, where F = u^2 is BUFFER_FACTOR and u BUFFER_FACTOR_ROOT. This stands for
// the point (u^2 x, u^3 y) of the curve with F^2 a and F^3 b, for which the formulas are the same: an accumulator's
// coordinates are X, Y / u, ZZ and ZZZ of a point there.
//
// Bounds, for R > 5.2 p (field_mul gives less than (A B / 5.2 + 1) p): an accumulator has X, Y / u < 1.001 p and ZZ,
// ZZZ < 2 p, so that h, r / u < 1.001 p, h^2 < 1.2 p, h^3 and q < 1.3 p, and ZZ h^2 < (2 * 1.2 / 5.2 + 1) p < 1.5 p. ZZ
// h^2 is 0 or p only where p divides h.

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

// Converts from and to the form of buffers, in which (X, Y, ZZ, ZZZ) is scaled by F. Uses that (k^2 X, k^3 Y, k^2 ZZ,
// k^3 ZZZ) is the same point: k = u from buffers, k = 1 / u to buffers.
fn point_from_buffer(x: Field, y: Field, zz: Field, zzz: Field) -> Point {
  let root_y = field_times(y, BUFFER_FACTOR_ROOT);
  return Point(field_times(x, BUFFER_FACTOR), field_times(root_y, BUFFER_FACTOR), zz, field_times(zzz, BUFFER_FACTOR_ROOT));
}

fn point_for_buffer(p: Point) -> Point {
  return Point(p.x, p.y, field_times(p.zz, BUFFER_FACTOR), field_times(p.zzz, BUFFER_FACTOR));
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
  // Initially the base; then h and r / u.
  var h = b.x;
  var r = b.y;
  var hh: Field;
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
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

// 2 b: the same computation with u 2 Y for h, u (3 X^2 + F^2 a) for r, and without h^3 in X. It hardly ever runs; a
// separate loop keeps `point_add_base` fast.
fn point_double_base(b: Base) -> Point {
  var x = b.x;
  var y = b.y;
  var h = field_times(y, 2i * BUFFER_FACTOR);
  // r / u.
  var r: Field;
  var hh: Field;
  var x3: Field;
  for (var step = 0u; step < 7u + (params.limbs >> 8u); step++) {
    var u: Field;
    var v: Field;
    switch (step) {
      case 0u: { u = x; v = x; }
      case 1u: { u = h; v = h; }
      case 2u: { u = h; v = hh; }
      case 3u: { u = x; v = hh; }
      case 4u: { u = y; v = h; }
      case 5u: { u = r; v = r; }
      default: { u = r; v = field_sub(x, x3); }
    }
    let w = field_mul_rare(u, v);
    switch (step) {
      case 0u: { r = curve_slope(w); }
      case 1u: { hh = w; }
      // From here h is h^3.
      case 2u: { h = w; }
      // From here x is q.
      case 3u: { x = w; }
      case 4u: { y = w; }
      case 5u: { x3 = field_x_of_sum(w, field_zero(), x); }
      default: { y = field_sub(w, y); }
    }
  }
  return Point(x3, y, hh, h);
}
