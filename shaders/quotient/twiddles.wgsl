// Twiddle factor i in Montgomery form: root 0, which is R, times root k + 1 for every set bit k of i.

fn run(i: u32) {
  var factor = element_from(roots[0], roots[1]);
  for (var k = 0u; (i >> k) != 0u; k++) {
    if (((i >> k) & 1u) == 1u) {
      factor = field_mul(factor, element_from(roots[2u * k + 2u], roots[2u * k + 3u]));
    }
  }
  let packed = field_pack(field_canonical(factor));
  factors[2u * i] = low_words(packed);
  factors[2u * i + 1u] = high_words(packed);
}
