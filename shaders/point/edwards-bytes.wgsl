// Points of the twisted Edwards curve in extended coordinates (edwards.wgsl) with byte products, only for adding bases
// to accumulators. A byte product is large code, so an addition is a loop around a single one.
//
// In buffers, bases are F (Y - X), F (Y + X), F * 2 d X Y in this form, where F is BUFFER_FACTOR; with F * 2 Z an
// addition scales its result by F^2. Accumulators have the same form in buffers, as projective coordinates may have any
// common factor.
//
// Bounds: an accumulator's coordinates are below 1.3 p, or below 2 p when read from a buffer. Where R > 152 p,
// field_add and field_sub do not reduce, and with a base of at most 4 p no intermediate value exceeds 8 p. Otherwise
// their results are below 1.001 p, a base's coordinates at most that, and R > 10 p is enough.

struct Point {
  x: Field,
  y: Field,
  z: Field,
  t: Field,
}

struct Base {
  minus: Field,
  plus: Field,
  t: Field,
}

fn point_identity() -> Point {
  return Point(field_zero(), field_one(), field_one(), field_zero());
}

fn base_negate_if(b: Base, negative: bool) -> Base {
  if (negative) {
    return Base(b.plus, b.minus, field_sub(field_zero(), b.t));
  }
  return b;
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

// p + b: 7 products. Seven values are live in the loop: p's, which become e, h, f and g, and b's.
fn point_add_base(p: Point, b: Base) -> Point {
  var x = p.x;
  var y = p.y;
  var z = p.z;
  var t = p.t;
  var minus = b.minus;
  var plus = b.plus;
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
  for (var step = 0u; step < 7u + (params.limbs >> 8u); step++) {
    var u: Field;
    var v: Field;
    switch (step) {
      case 0u: { u = minus; v = field_sub(y, x); }
      case 1u: { u = plus; v = field_add(y, x); }
      case 2u: { u = b.t; v = t; }
      case 3u: { u = x; v = z; }
      case 4u: { u = t; v = y; }
      case 5u: { u = z; v = t; }
      default: { u = x; v = y; }
    }
    let w = field_mul(u, v);
    switch (step) {
      case 0u: { minus = w; }
      // From here x and y are e and h.
      case 1u: {
        x = field_sub(w, minus);
        y = field_add(w, minus);
      }
      // From here z and t are f and g.
      case 2u: {
        let twice = field_times(z, 2i * BUFFER_FACTOR);
        z = field_sub(twice, w);
        t = field_add(twice, w);
      }
      // From here minus and plus are the new X and Y.
      case 3u: { minus = w; }
      case 4u: { plus = w; }
      case 5u: { z = w; }
      default: { t = w; }
    }
  }
  return Point(minus, plus, z, t);
}
