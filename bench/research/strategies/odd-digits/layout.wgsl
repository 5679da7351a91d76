// A digit d is m 2^e with an odd m, as in a number with a mantissa and an exponent. It goes to the bucket of |m|, with 2^e times the point,
// which lies e copies behind the point among the bases.

// The bucket of a digit of scalar i, whose magnitude is not 0.
fn bucket_of_odd(i: u32, place: Place, magnitude: u32) -> u32 {
  return bucket_of_digit(i, place, (magnitude >> (countTrailingZeros(magnitude) + 1u)) + 1u);
}

// The base that it adds.
fn base_of_odd(i: u32, place: Place, magnitude: u32) -> u32 {
  return base_of_digit(i, place) + countTrailingZeros(magnitude) * params.multiple_stride;
}
