// What comes of two neighbouring points. Infinity is stored as zeros; no point of these curves has x = y = 0 or y = 0.
const SUM = 0u;
const FIRST = 1u;
const SECOND = 2u;
const DOUBLE = 3u;
const INFINITY = 4u;

// `difference` = bx - ax.
fn kind_of(point: u32, ax: Field, bx: Field, difference: Field) -> u32 {
  let is_equal = field_is_zero(difference);
  if (!is_equal && !field_is_plain_zero(ax) && !field_is_plain_zero(bx)) {
    return SUM;
  }
  let ay = y_of(point);
  let by = y_of(point + 1u);
  if (field_is_plain_zero(bx) && field_is_plain_zero(by)) {
    return FIRST;
  }
  if (field_is_plain_zero(ax) && field_is_plain_zero(ay)) {
    return SECOND;
  }
  if (!is_equal) {
    return SUM;
  }
  return select(INFINITY, DOUBLE, field_is_zero(field_sub(by, ay)));
}

// By what the slope of an addition is divided; 1 where there is no slope. A base's coordinates are F x and F y, so the
// slope of a doubling, 3 x^2 / 2 y, is 3 (F x)^2 / 2 F (F y).
fn denominator_of(kind: u32, point: u32, difference: Field) -> Field {
  if (kind == SUM) {
    return difference;
  }
  if (kind == DOUBLE) {
    return field_times(y_of(point), 2i * BUFFER_FACTOR);
  }
  return field_one();
}
