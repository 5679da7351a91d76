// Replaces every scalar s above r / 2 by r - s and sets its highest bit, which is otherwise unused, to negate its
// point: so small negative numbers are short. One thread per scalar of 8 words; `params.order0` to `params.order7` are
// r.

// One word of a - b - borrow, and the next borrow.
fn subtract(a: u32, b: u32, borrow: u32) -> vec2u {
  let difference = a - b;
  return vec2u(difference - borrow, u32(a < b || difference < borrow));
}

fn run(t: u32) {
  let low = source[2u * t];
  let high = source[2u * t + 1u];
  let d0 = subtract(params.order0, low.x, 0u);
  let d1 = subtract(params.order1, low.y, d0.y);
  let d2 = subtract(params.order2, low.z, d1.y);
  let d3 = subtract(params.order3, low.w, d2.y);
  let d4 = subtract(params.order4, high.x, d3.y);
  let d5 = subtract(params.order5, high.y, d4.y);
  let d6 = subtract(params.order6, high.z, d5.y);
  let d7 = subtract(params.order7, high.w, d6.y);
  // The borrow of (r - s) - s tells whether r - s < s.
  var borrow = subtract(d0.x, low.x, 0u).y;
  borrow = subtract(d1.x, low.y, borrow).y;
  borrow = subtract(d2.x, low.z, borrow).y;
  borrow = subtract(d3.x, low.w, borrow).y;
  borrow = subtract(d4.x, high.x, borrow).y;
  borrow = subtract(d5.x, high.y, borrow).y;
  borrow = subtract(d6.x, high.z, borrow).y;
  borrow = subtract(d7.x, high.w, borrow).y;
  if (borrow != 0u) {
    source[2u * t] = vec4u(d0.x, d1.x, d2.x, d3.x);
    source[2u * t + 1u] = vec4u(d4.x, d5.x, d6.x, d7.x | 0x80000000u);
  }
}
