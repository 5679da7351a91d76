// One level of a tree of affine additions: of the points of every bucket, the first is added to the second, the third to the fourth, and so
// on; a last one without a partner goes on alone. The denominators of the PAIRS additions of a thread share one inversion.
//
// After `level` levels bucket b has ceil(n / 2^level) points, n at first. They lie from (offsets[b] >> level) + b on, which leaves room for
// them all: no offsets have to be computed anew. One thread for PAIRS neighbouring places of what comes out. A bucket that is left with one
// point is done: that goes to `buckets`, which begin at zero.
//
// - `offsets`: where the run of each of the `bucket_count` buckets begins in the sorted list, and the number of all entries.
// - `next_points`: gets what comes out, in the form of bases; zeros are the point at infinity.
// - `products`: holds the running products of a thread's denominators.

// What comes out at a place.
const NOTHING = 0u;
const INFINITY = 1u;
const FIRST = 2u;
const SECOND = 3u;
const SUM = 4u;
const DOUBLE = 5u;

struct Pair {
  kind: u32,
  a: Base,
  b: Base,
}

fn place_of(bucket: u32, level: u32) -> u32 {
  return (offsets[bucket] >> level) + bucket;
}

fn points_of(bucket: u32, level: u32) -> u32 {
  return (offsets[bucket + 1u] - offsets[bucket] + (1u << level) - 1u) >> level;
}

// The bucket whose places after this level have `place` among them.
fn bucket_at(place: u32) -> u32 {
  var low = 0u;
  var high = params.bucket_count;
  while (low + 1u < high) {
    let middle = (low + high) / 2u;
    if (place_of(middle, params.level + 1u) <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

fn is_infinity(b: Base) -> bool {
  return field_is_plain_zero(b.x) && field_is_plain_zero(b.y);
}

// What is added for a place of the bucket.
fn pair_at(place: u32, bucket: u32) -> Pair {
  var pair: Pair;
  let count = points_of(bucket, params.level);
  let k = 2u * (place - place_of(bucket, params.level + 1u));
  // A bucket of one point is done, if not at the first level.
  if (k >= count || (count == 1u && params.level > 0u)) {
    return pair;
  }
  pair.a = load_point(bucket, k);
  pair.kind = FIRST;
  if (k + 1u < count) {
    pair.b = load_point(bucket, k + 1u);
    pair.kind = SUM;
    if (is_infinity(pair.b)) {
      pair.kind = FIRST;
    } else if (is_infinity(pair.a)) {
      pair.kind = SECOND;
    } else if (field_is_zero(field_sub(pair.b.x, pair.a.x))) {
      pair.kind = select(INFINITY, DOUBLE, field_is_zero(field_sub(pair.b.y, pair.a.y)));
    }
  }
  return pair;
}

// By what the slope of a SUM or DOUBLE is divided. All coordinates are below p: below 5 p.
fn denominator(pair: Pair) -> Field {
  if (pair.kind == DOUBLE) {
    return field_add(pair.a.y, pair.a.y);
  }
  return field_sub(pair.b.x, pair.a.x);
}

// The sum of a SUM or DOUBLE, from 1 / denominator < 2 p.
fn sum_of(pair: Pair, inverse: Field) -> Base {
  var rise = field_sub(pair.b.y, pair.a.y);
  if (pair.kind == DOUBLE) {
    let square = field_sqr(pair.a.x);
    rise = field_add(field_add(square, square), square);
  }
  // Below (2 * 5 / 84 + 1) p.
  let slope = field_mul(inverse, rise);
  // Below 1.1 p + 4 p, and below 1.2 p + 4 p.
  let x = field_sub(field_sqr(slope), field_add(pair.a.x, pair.b.x));
  let y = field_sub(field_mul(slope, field_sub_wide(pair.a.x, x)), pair.a.y);
  return Base(x, y);
}

fn run(t: u32) {
  let end = min((t + 1u) * PAIRS, place_of(params.bucket_count, params.level + 1u));
  let begin = t * PAIRS;
  if (begin >= end) {
    return;
  }
  var bucket = bucket_at(begin);
  var product = field_one();
  var has_points = false;
  var has_sums = false;
  for (var place = begin; place < end; place++) {
    while (bucket + 1u < params.bucket_count && place_of(bucket + 1u, params.level + 1u) <= place) {
      bucket++;
    }
    let pair = pair_at(place, bucket);
    has_points = has_points || pair.kind != NOTHING;
    if (pair.kind >= SUM) {
      store_product(t, place - begin, product);
      product = field_mul(product, denominator(pair));
      has_sums = true;
    }
  }
  // At the last levels nearly all buckets are done.
  if (!has_points) {
    return;
  }
  var inverse: Field;
  if (has_sums) {
    inverse = field_inverse(product);
  }
  for (var place = end; place > begin; place--) {
    let at = place - 1u;
    while (place_of(bucket, params.level + 1u) > at) {
      bucket--;
    }
    let pair = pair_at(at, bucket);
    var result = pair.a;
    if (pair.kind == SECOND) {
      result = pair.b;
    } else if (pair.kind >= SUM) {
      result = sum_of(pair, field_mul(inverse, load_product(t, at - begin)));
      inverse = field_mul(inverse, denominator(pair));
    }
    if (pair.kind == INFINITY) {
      result = Base();
    }
    if (pair.kind == NOTHING) {
      continue;
    }
    if (points_of(bucket, params.level + 1u) > 1u) {
      store_next(at, result);
    } else if (pair.kind != INFINITY && !is_infinity(result)) {
      store_bucket(bucket, point_from_base(result));
    }
  }
}
