// The sums of a level, by batch inversion. A thread goes backward through its additions: from the inverse of the prefix
// product of the denominators up to the current one, two products give the inverse of the current denominator and the
// inverse of the prefix product before it.
//
// Bounds, for R > 5.2 p (field_mul gives less than (A B / 5.2 + 1) p): points and denominators are below 1.001 p,
// inverses and products below 2 p, a slope below 1.4 p and its square below 1.4 p.

fn run(t: u32) {
  let count = pair_counts[params.level];
  if (t >= count) {
    return;
  }
  var inverse = load_total(t, params.threads);
  let turns = (count - 1u - t) / params.threads + 1u;
  for (var turn = turns; turn > 0u; turn--) {
    let i = t + (turn - 1u) * params.threads;
    let pair = pairs[i];
    var x = x_of(pair.x);
    let y = y_of(pair.x);
    let bx = x_of(pair.x + 1u);
    var rise = field_sub(y_of(pair.x + 1u), y);
    var slope = field_one();
    if (i != t) {
      slope = load_product(i, params.capacity);
    }
    // At first the denominator; b's x less a's where the sum needs it.
    var span = field_sub(bx, x);
    let kind = kind_of(pair.x, x, bx, span);
    if (kind != SUM) {
      span = denominator_of(kind, pair.x, span);
      rise = field_times(field_mul_rare(x, x), 3i);
    }
    let ax = x;
    var sum_y: Field;
    // params.limbs >> 8 is 0, but the compiler cannot know that, so it does not unroll the loop.
    for (var step = 0u; step < 5u + (params.limbs >> 8u); step++) {
      var u: Field;
      var v: Field;
      switch (step) {
        case 0u: { u = inverse; v = slope; }
        case 1u: { u = inverse; v = span; }
        case 2u: { u = slope; v = rise; }
        case 3u: { u = slope; v = slope; }
        default: { u = slope; v = rise; }
      }
      let w = field_mul(u, v);
      switch (step) {
        case 0u: { slope = w; }
        case 1u: {
          inverse = w;
          if (kind != SUM) {
            span = field_zero();
          }
        }
        case 2u: { slope = w; }
        // From here x is the sum's.
        case 3u: {
          x = field_x_of_sum(w, span, ax);
          rise = field_sub(ax, x);
        }
        default: { sum_y = field_sub(w, y); }
      }
    }
    if (kind == FIRST || kind == SECOND) {
      let point = pair.x + u32(kind == SECOND);
      x = x_of(point);
      sum_y = y_of(point);
    } else if (kind == INFINITY) {
      x = field_zero();
      sum_y = field_zero();
    }
    store_next_coordinate(pair.y * 2u * VECTORS, x);
    store_next_coordinate(pair.y * 2u * VECTORS + VECTORS, sum_y);
  }
}
