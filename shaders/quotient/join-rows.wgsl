// Adds up the partial sums of a long row. Row i has the partials from rows[i].x up to the next row's; its result is
// element rows[i].y of `sums`.

fn run(i: u32) {
  var sum = field_zero();
  let end = rows[i + 1u].x;
  for (var k = rows[i].x; k < end; k++) {
    sum = field_add(sum, element_from(partials[2u * k], partials[2u * k + 1u]));
  }
  let packed = field_pack(sum);
  let to = rows[i].y;
  sums[2u * to] = low_words(packed);
  sums[2u * to + 1u] = high_words(packed);
}
