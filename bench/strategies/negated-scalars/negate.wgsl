// Replaces every scalar s > r / 2 by r - s, and notes in its highest bit, which no scalar below r / 2 has, that the point is to be negated.
// One thread a scalar, of 8 words each. ORDER is r.

fn run(t: u32) {
  var rest: array<u32, 8>;
  var borrow = 0u;
  for (var w = 0u; w < 8u; w++) {
    let word = source[t * 8u + w];
    let difference = ORDER[w] - word;
    rest[w] = difference - borrow;
    borrow = u32(ORDER[w] < word || difference < borrow);
  }
  // r - s < s, from the highest word in which they differ.
  for (var w = 8u; w > 0u; w--) {
    let word = source[t * 8u + w - 1u];
    if (rest[w - 1u] > word) {
      return;
    }
    if (rest[w - 1u] < word) {
      break;
    }
  }
  for (var w = 0u; w < 7u; w++) {
    source[t * 8u + w] = rest[w];
  }
  source[t * 8u + 7u] = rest[7] | 0x80000000u;
}
