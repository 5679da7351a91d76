// Adds monomials to coefficients. Monomial i has its index in the first word of monomials[3 i], and its value after it. No
// two have one index.

fn run(i: u32) {
  let at = 2u * monomials[3u * i].x;
  let value = element_from(monomials[3u * i + 1u], monomials[3u * i + 2u]);
  let packed = field_pack(field_canonical(field_add(element_from(result[at], result[at + 1u]), value)));
  result[at] = low_words(packed);
  result[at + 1u] = high_words(packed);
}
