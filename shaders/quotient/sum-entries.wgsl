// Adds up the entries of a piece, each the product of a signal's value and a coefficient; an entry is the pair of their
// indices, in this order. Piece i has the entries from pieces[i].x up to the next piece's; its sum is element
// pieces[i].y of `sums`.

fn run(i: u32) {
  var sum = field_zero();
  let end = pieces[i + 1u].x;
  for (var e = pieces[i].x; e < end; e++) {
    let entry = entries[e];
    let value = element_from(witness[2u * entry.x], witness[2u * entry.x + 1u]);
    let coefficient = element_from(coefficients[2u * entry.y], coefficients[2u * entry.y + 1u]);
    sum = field_add(sum, field_mul(value, coefficient));
  }
  let packed = field_pack(sum);
  let to = pieces[i].y;
  sums[2u * to] = low_words(packed);
  sums[2u * to + 1u] = high_words(packed);
}
