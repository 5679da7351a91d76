// Affine points of accumulators, by batch inversion (Montgomery's trick): thread t takes the accumulators t, t +
// `threads`, .. below `count`. The norm of the product of their ZZZ is inverted by a power, with the exponent p - 2 for
// numbers modulo p (Fermat); then 1 / z = ZZ / ZZZ gives x = X / z^2 and y = Y / ZZZ. Infinity becomes zeros. The first
// `rows` accumulators become the first points of the pairs from `offset` on, those behind them the second ones.
//
// - `exponent`: `exponent_bits` bits, the lowest first.

// Indices of the values of one accumulator.
const OWN_REST = 0u;
const OWN_INVERSE = 1u;
const OWN_ZZZ = 2u;
const OWN_X = 3u;
const OWN_Y = 4u;
const OWN_Z = 5u;

// The two factors of a product, and the index of the product: in turn the inverse of ZZZ, the inverse of the product of
// those before, 1 / z, 1 / z^2, x and y.
fn normalizing_product(step: u32) -> vec3u {
  switch (step) {
    case 0u: { return vec3u(OWN_REST, OWN_INVERSE, OWN_INVERSE); }
    case 1u: { return vec3u(OWN_REST, OWN_ZZZ, OWN_REST); }
    case 2u: { return vec3u(OWN_Z, OWN_INVERSE, OWN_Z); }
    case 3u: { return vec3u(OWN_Z, OWN_Z, OWN_Z); }
    case 4u: { return vec3u(OWN_X, OWN_Z, OWN_X); }
    default: { return vec3u(OWN_Y, OWN_INVERSE, OWN_Y); }
  }
}

// The place of accumulator i's point.
fn place_of_result(i: u32) -> u32 {
  if (i < params.rows) {
    return place_of_pair(params.offset + i);
  }
  return place_of_pair(params.offset + i - params.rows) + params.distance;
}

fn run(t: u32) {
  // The products of ZZZ before each accumulator are kept where its x will be.
  var product = coordinate_one();
  var end = t;
  for (; end < params.count; end += params.threads) {
    store_coordinate(place_of_result(end), 0u, product);
    let zzz = sum_coordinate(end, 3u);
    if (!coordinate_is_plain_zero(zzz)) {
      product = coordinate_mul(product, zzz);
    }
  }
  // Each bit of the exponent, from the highest, takes a square and perhaps a product.
  let norm = coordinate_norm(product);
  var power = field_one();
  for (var step = 0u; step < 2u * params.exponent_bits; step++) {
    let bit = params.exponent_bits - 1u - step / 2u;
    let is_square = (step & 1u) == 0u;
    if (is_square || ((exponent[bit / 32u] >> (bit % 32u)) & 1u) == 1u) {
      var factor = norm;
      if (is_square) {
        factor = power;
      }
      power = field_mul(power, factor);
    }
  }
  var at: array<Coordinate, 6>;
  at[OWN_REST] = coordinate_of_norm(product, power);
  for (var i = end; i > t;) {
    i -= params.threads;
    let place = place_of_result(i);
    at[OWN_ZZZ] = sum_coordinate(i, 3u);
    if (coordinate_is_plain_zero(at[OWN_ZZZ])) {
      store_coordinate(place, 0u, Coordinate());
      store_coordinate(place, 1u, Coordinate());
      continue;
    }
    at[OWN_INVERSE] = point_coordinate(place, 0u);
    at[OWN_X] = sum_coordinate(i, 0u);
    at[OWN_Y] = sum_coordinate(i, 1u);
    at[OWN_Z] = sum_coordinate(i, 2u);
    for (var step = 0u; step < 6u + (params.limbs >> 8u); step++) {
      let indices = normalizing_product(step);
      at[indices.z] = coordinate_mul(at[indices.x], at[indices.y]);
    }
    store_coordinate(place, 0u, at[OWN_X]);
    store_coordinate(place, 1u, at[OWN_Y]);
  }
}
