// Shared by all stages that process digits.
//
// Scalar i belongs to point i % points and to MSM i / points of the batch. The digit of window w goes to row w % rows
// of the MSM's buckets, and takes multiple w / rows of the point. A pass fills the `rows_of_pass` rows from `first_row`
// on. Multiple j goes to set j of the row's buckets, which begins `next_set` buckets after set j - 1; with `next_set` =
// 0 the row has one set.

const MAGNITUDE = 0x7fffffffu;
const NEGATIVE = 0x80000000u;

// The destination of a window's digit.
struct Place {
  row: u32,
  multiple: u32,
}

// The place of window 0.
fn first_place() -> Place {
  return Place(0u, 0u);
}

// The place of the next window.
fn next_place(place: Place) -> Place {
  if (place.row + 1u < params.rows) {
    return Place(place.row + 1u, place.multiple);
  }
  return Place(0u, place.multiple + 1u);
}

// Whether the pass fills the row. Below the first row the difference wraps around to a large value.
fn is_in_pass(place: Place) -> bool {
  return place.row - params.first_row < params.rows_of_pass;
}

// The index of a digit of scalar i in the pass's buffers: ordered by MSM, multiple, row, point.
fn digit_at(i: u32, place: Place) -> u32 {
  let before = (i / params.points) * params.multiples + place.multiple;
  return (before * params.rows_of_pass + place.row - params.first_row) * params.points + i % params.points;
}

fn bucket_of_digit(i: u32, place: Place, magnitude: u32) -> u32 {
  let row = (i / params.points) * params.rows_of_pass + place.row - params.first_row;
  return place.multiple * params.next_set + row * params.buckets_per_row + magnitude - 1u;
}

// The base that a digit of scalar i adds to its bucket.
fn base_of_digit(i: u32, place: Place) -> u32 {
  return params.first_base + place.multiple * params.multiple_stride + i % params.points;
}
