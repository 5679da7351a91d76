// sum + k p, for k > 0, by doubling and adding from the highest bit on. One loop around a single addition: `left` counts what there is to do,
// a doubling and an addition for each bit, and at last the addition of `sum`.
fn point_add_multiple(sum: Point, p: Point, k: u32) -> Point {
  var multiple = p;
  for (var left = 2u * (31u - countLeadingZeros(k)) + 1u; left > 0u; left--) {
    var added = multiple;
    if (left == 1u) {
      added = sum;
    } else if (left % 2u == 0u) {
      if (((k >> (left / 2u - 1u)) & 1u) == 0u) {
        continue;
      }
      added = p;
    }
    multiple = point_add(multiple, added);
  }
  return multiple;
}
