// Points of y^2 = x^3 + b over F_p^2 in XYZZ coordinates (weierstrass.wgsl), complete for all inputs. Formulas:
// Explicit-Formulas Database, short Weierstrass, xyzz: madd-2008-s, add-2008-s, dbl-2008-s-1.
//
// A product in F_p^2 is large code and a point takes many registers. So an addition is a loop around one product and
// one difference, and its values are in an array in memory. Each iteration computes a product and, for most, a
// difference.
//
// Bounds, with limb products for R > 12 p: products and differences are below 2 p, and so are all values in the array;
// with byte products they are below 1.001 p. A base's coordinates are at most p. ZZ is a product of nonzero elements of
// F_p^2 or a literal 0: no other multiple of p stands for 0.

struct Point {
  x: Field2,
  y: Field2,
  zz: Field2,
  zzz: Field2,
}

struct Base {
  x: Field2,
  y: Field2,
}

fn point_identity() -> Point {
  return Point();
}

fn point_is_identity(p: Point) -> bool {
  return field2_is_plain_zero(p.zz);
}

fn base_negate_if(b: Base, negative: bool) -> Base {
  if (negative) {
    return Base(b.x, field2_negate(b.y));
  }
  return b;
}

// p + b: 8 products and 2 squares.
fn point_add_base(p: Point, b: Base) -> Point {
  let q = base_from_buffer(b);
  if (point_is_identity(p)) {
    return Point(q.x, q.y, field2_one(), field2_one());
  }
  return point_sum(p, Point(q.x, q.y, Field2(), Field2()), OVER_ONE, OVER_ONE_END);
}

// p + q: 12 products and 2 squares.
fn point_add(p: Point, q: Point) -> Point {
  if (point_is_identity(p)) {
    return q;
  }
  if (point_is_identity(q)) {
    return p;
  }
  return point_sum(p, q, OVER_ANY, OVER_ANY_END);
}

// Indices of an addition's values. The coordinates of p, which become the result's, except for the new X:
const AT_X = 0u;
const AT_Y = 1u;
const AT_ZZ = 2u;
const AT_ZZZ = 3u;
// x and y of q, which become h (later h^3) and r; and q's denominators.
const AT_H = 4u;
const AT_R = 5u;
const AT_ZZ2 = 6u;
const AT_ZZZ2 = 7u;
// h^2, and later q - X.
const AT_HH = 8u;
const AT_NEW_X = 9u;
const AT_ZERO = 10u;
// Marks an iteration without a difference.
const AT_NONE = 11u;

// The iterations of an addition, in order. Where q's denominators are 1, OVER_ONE to OVER_ONE_END - 1 suffice.
const DOUBLING = 0u;
const OVER_ANY = 2u;
const OVER_ONE = 4u;
const H_AND_R_ARE_KNOWN = 6u;
const LEAVES_NEW_X = 9u;
const OVER_ONE_END = 14u;
const OVER_ANY_END = 16u;

// The two factors of an iteration, and the index of the product.
fn point_product(step: u32) -> vec3u {
  switch (step) {
    case 0u: { return vec3u(AT_X, AT_X, AT_R); }
    case 1u: { return vec3u(AT_X, AT_X, AT_R); }
    case 2u: { return vec3u(AT_X, AT_ZZ2, AT_X); }
    case 3u: { return vec3u(AT_Y, AT_ZZZ2, AT_Y); }
    case 4u: { return vec3u(AT_H, AT_ZZ, AT_H); }
    case 5u: { return vec3u(AT_R, AT_ZZZ, AT_R); }
    case 6u: { return vec3u(AT_H, AT_H, AT_HH); }
    case 7u: { return vec3u(AT_H, AT_HH, AT_H); }
    // From here x is q = X h^2.
    case 8u: { return vec3u(AT_X, AT_HH, AT_X); }
    case 9u: { return vec3u(AT_R, AT_R, AT_NEW_X); }
    case 10u: { return vec3u(AT_ZZ, AT_HH, AT_ZZ); }
    case 11u: { return vec3u(AT_Y, AT_H, AT_Y); }
    case 12u: { return vec3u(AT_ZZZ, AT_H, AT_ZZZ); }
    case 13u: { return vec3u(AT_R, AT_HH, AT_R); }
    case 14u: { return vec3u(AT_ZZ, AT_ZZ2, AT_ZZ); }
    default: { return vec3u(AT_ZZZ, AT_ZZZ2, AT_ZZZ); }
  }
}

// After an iteration's product: the index of a - b - 2 d, and of a, b and d.
fn point_difference(step: u32) -> vec4u {
  switch (step) {
    // Doubling, with h = -2 y and r = -3 x^2. The inverted signs give -Y and -ZZZ, which is the same point.
    case 0u: { return vec4u(AT_H, AT_ZERO, AT_ZERO, AT_Y); }
    case 1u: { return vec4u(AT_R, AT_ZERO, AT_R, AT_R); }
    case 4u: { return vec4u(AT_H, AT_H, AT_X, AT_ZERO); }
    case 5u: { return vec4u(AT_R, AT_R, AT_Y, AT_ZERO); }
    // X = r^2 - h^3 - 2 q.
    case 9u: { return vec4u(AT_NEW_X, AT_NEW_X, AT_H, AT_X); }
    case 10u: { return vec4u(AT_HH, AT_X, AT_NEW_X, AT_ZERO); }
    // Y = r (q - X) - y h^3.
    case 13u: { return vec4u(AT_Y, AT_R, AT_Y, AT_ZERO); }
    default: { return vec4u(AT_NONE, AT_ZERO, AT_ZERO, AT_ZERO); }
  }
}

// p + q by the iterations `begin` to `end` - 1. Threads whose points are equal also run the two iterations of DOUBLING:
// then p is over the denominators of both, and the remaining iterations are the same, except for h^3 in X.
fn point_sum(p: Point, q: Point, begin: u32, end: u32) -> Point {
  var at: array<Field2, 11>;
  at[AT_X] = p.x;
  at[AT_Y] = p.y;
  at[AT_ZZ] = p.zz;
  at[AT_ZZZ] = p.zzz;
  at[AT_H] = q.x;
  at[AT_R] = q.y;
  at[AT_ZZ2] = q.zz;
  at[AT_ZZZ2] = q.zzz;
  var is_double = false;
  // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
  for (var step = begin; step < end + (params.limbs >> 8u); step++) {
    if (step == H_AND_R_ARE_KNOWN && !is_double && field2_is_zero(at[AT_H])) {
      if (!field2_is_zero(at[AT_R])) {
        return point_identity();
      }
      is_double = true;
      step = DOUBLING;
    }
    let product = point_product(step);
    at[product.z] = field2_mul(at[product.x], at[product.y]);
    var difference = point_difference(step);
    if (is_double && step == LEAVES_NEW_X) {
      difference.z = AT_ZERO;
    }
    if (difference.x != AT_NONE) {
      at[difference.x] = field2_minus(at[difference.y], at[difference.z], at[difference.w]);
    }
    if (is_double && step == OVER_ANY - 1u) {
      step = H_AND_R_ARE_KNOWN - 1u;
    }
  }
  return Point(at[AT_NEW_X], at[AT_Y], at[AT_ZZ], at[AT_ZZZ]);
}
