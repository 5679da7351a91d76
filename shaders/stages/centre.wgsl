// Replaces every scalar s above r / 2 by r - s and sets its highest bit, which is otherwise unused, to negate its
// point: so small negative numbers are short. One thread per scalar of `scalar_vectors` times four words; `order0`,
// `order1` and so on are the words of r.

// One word of a - b - borrow, and the next borrow.
fn subtract(a: u32, b: u32, borrow: u32) -> vec2u {
  let difference = a - b;
  return vec2u(difference - borrow, u32(a < b || difference < borrow));
}

struct Difference {
  words: vec4u,
  borrow: u32,
}

fn subtract_words(a: vec4u, b: vec4u, borrow: u32) -> Difference {
  let x = subtract(a.x, b.x, borrow);
  let y = subtract(a.y, b.y, x.y);
  let z = subtract(a.z, b.z, y.y);
  let w = subtract(a.w, b.w, z.y);
  return Difference(vec4u(x.x, y.x, z.x, w.x), w.y);
}

fn order_words(v: u32) -> vec4u {
  switch (v) {
    case 0u: { return vec4u(params.order0, params.order1, params.order2, params.order3); }
    case 1u: { return vec4u(params.order4, params.order5, params.order6, params.order7); }
    case 2u: { return vec4u(params.order8, params.order9, params.order10, params.order11); }
    case 3u: { return vec4u(params.order12, params.order13, params.order14, params.order15); }
    case 4u: { return vec4u(params.order16, params.order17, params.order18, params.order19); }
    default: { return vec4u(params.order20, params.order21, params.order22, params.order23); }
  }
}

fn run(t: u32) {
  let first = params.scalar_vectors * t;
  var borrow = 0u;
  // The borrow of (r - s) - s tells whether r - s < s.
  var is_less = 0u;
  for (var v = 0u; v < params.scalar_vectors; v++) {
    let scalar = source[first + v];
    let rest = subtract_words(order_words(v), scalar, borrow);
    borrow = rest.borrow;
    is_less = subtract_words(rest.words, scalar, is_less).borrow;
  }
  if (is_less == 0u) {
    return;
  }
  borrow = 0u;
  for (var v = 0u; v < params.scalar_vectors; v++) {
    let rest = subtract_words(order_words(v), source[first + v], borrow);
    borrow = rest.borrow;
    source[first + v] = rest.words;
  }
  source[first + params.scalar_vectors - 1u].w |= 0x80000000u;
}
