// Multiplies up the denominators of a level's additions. Thread t takes the additions t, t + threads, t + 2 threads,
// ... of the list.
//
// - `products`: for each addition the product of the thread's denominators before its own; nothing for a thread's first.
// - `totals`: for each thread the product of them all, if it has any.

fn run(t: u32) {
  let count = pair_counts[params.level];
  if (t >= count) {
    return;
  }
  var product: Field;
  for (var i = t; i < count; i += params.threads) {
    let point = pairs[i].x;
    let ax = x_of(point);
    let bx = x_of(point + 1u);
    let difference = field_sub(bx, ax);
    let denominator = denominator_of(kind_of(point, ax, bx, difference), point, difference);
    if (i == t) {
      product = denominator;
    } else {
      store_product(i, params.capacity, product);
      product = field_mul(product, denominator);
    }
  }
  store_total(t, params.threads, product);
}
