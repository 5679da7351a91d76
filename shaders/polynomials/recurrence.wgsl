// A recurrence within blocks of BLOCK elements, one block per thread. The elements of a residue class modulo `stride`
// make a sequence of their own: thread t has block t / stride of class t mod stride. There are two recurrences, from an
// accumulator that begins with constant 0, or with the carry of the block:
//
// - rising: it is multiplied by each element, from the first one on (products);
// - falling: it is multiplied by constant `factor`, and each element is added, from the last one on (Horner's method).
//
// Without `scans` the last accumulator of each block goes to `totals` at `target_at`: the elements of the next level.
// With `scans` each element is replaced by the accumulator before it. The first level reads `values` and writes
// `result`; the others, with `nested`, are parts of `totals` from `source_at` on.

fn value_at(i: u32) -> Field {
  if (params.nested == 1u) {
    let at = 2u * (params.source_at + i);
    return element_from(totals[at], totals[at + 1u]);
  }
  return element_from(values[2u * i], values[2u * i + 1u]);
}

fn replace(i: u32, a: Field) {
  let packed = field_pack(field_canonical(a));
  if (params.nested == 1u) {
    let at = 2u * (params.source_at + i);
    totals[at] = low_words(packed);
    totals[at + 1u] = high_words(packed);
  } else {
    result[2u * i] = low_words(packed);
    result[2u * i + 1u] = high_words(packed);
  }
}

fn run(t: u32) {
  let first = (t / params.stride) * BLOCK;
  var sum = element_from(constants[0], constants[1]);
  if (params.carries == 1u) {
    let at = 2u * (params.target_at + t);
    sum = element_from(totals[at], totals[at + 1u]);
  }
  for (var step = 0u; step < BLOCK; step++) {
    let row = first + select(step, BLOCK - 1u - step, params.falls == 1u);
    let i = row * params.stride + t % params.stride;
    if (i < params.count) {
      let value = value_at(i);
      if (params.scans == 1u) {
        replace(i, sum);
      }
      var other = value;
      if (params.falls == 1u) {
        other = element_from(constants[2u * params.factor], constants[2u * params.factor + 1u]);
      }
      sum = field_mul(sum, other);
      if (params.falls == 1u) {
        sum = field_add(sum, value);
      }
    }
  }
  if (params.scans == 0u) {
    let packed = field_pack(field_canonical(sum));
    let at = 2u * (params.target_at + t);
    totals[at] = low_words(packed);
    totals[at + 1u] = high_words(packed);
  }
}
