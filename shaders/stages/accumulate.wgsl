// Sums the points of every bucket over the list sorted by bucket. One thread a share: an equal contiguous part of the list,
// whatever the sizes of the buckets. A run of entries of one bucket that lies in one share is that bucket's sum; of a run
// that goes over shares, each share keeps its part in a slot: the first slot is for the run that began before the share,
// the second for the one that begins in it and goes on.

struct Params {
  limbs: u32,
  // The shares of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  buckets: u32,
  // Entries of a share; the last one may have fewer.
  share: u32,
  // 1 when the buckets hold the sums of earlier points, to which these are added.
  continued: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bases: array<u32>;
// Index of the base in the low 31 bits, its sign in bit 31.
@group(0) @binding(2) var<storage, read> sorted: array<u32>;
// Where the run of each bucket begins, and the number of all entries.
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
@group(0) @binding(4) var<storage, read_write> buckets: array<u32>;
// The bucket of each slot, or NONE.
@group(0) @binding(5) var<storage, read_write> slot_keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> slots: array<u32>;

const NONE = 0xffffffffu;
const INDEX = 0x7fffffffu;

// The bucket, `low` or one behind it, to whose run an entry belongs: the last one whose run begins at or before it.
// Steps of growing length, then bisection: the next bucket is most often near.
fn bucket_of(entry: u32, low: u32) -> u32 {
  var at = low;
  var step = 1u;
  while (at + step < params.buckets && offsets[at + step] <= entry) {
    at += step;
    step *= 2u;
  }
  var above = min(at + step, params.buckets);
  while (above - at > 1u) {
    let middle = (at + above) / 2u;
    if (offsets[middle] <= entry) {
      at = middle;
    } else {
      above = middle;
    }
  }
  return at;
}

// A sum without a point is all zeros, and else its third coordinate is none of them.
fn bucket_is_filled(i: u32) -> bool {
  var words = 0u;
  for (var k = 2u * WORDS; k < 3u * WORDS; k++) {
    words |= buckets[i * 4u * WORDS + k];
  }
  return words != 0u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * 64u;
  if (t >= params.end) {
    return;
  }
  slot_keys[2u * t] = NONE;
  slot_keys[2u * t + 1u] = NONE;
  let begin = t * params.share;
  let stop = min(begin + params.share, offsets[params.buckets]);
  if (begin >= stop) {
    return;
  }
  var bucket = bucket_of(begin, 0u);
  var run_end = offsets[bucket + 1u];
  var begins_here = offsets[bucket] == begin;
  var is_new = begins_here;
  var sum = point_identity();
  for (var entry = begin; entry < stop; entry++) {
    // What the buckets held before goes into the share where the run begins, and so into the sum once.
    if (is_new && params.continued == 1u) {
      sum = load_bucket(bucket);
    }
    is_new = false;
    let item = sorted[entry];
    sum = point_add_base(sum, base_negate_if(base_load(item & INDEX), item > INDEX));
    let next = entry + 1u;
    if (next != run_end && next != stop) {
      continue;
    }
    if (begins_here && next == run_end) {
      store_bucket(bucket, sum);
    } else {
      let slot = 2u * t + select(0u, 1u, begins_here);
      slot_keys[slot] = bucket;
      store_slot(slot, sum);
    }
    if (next != stop) {
      bucket = bucket_of(next, bucket + 1u);
      run_end = offsets[bucket + 1u];
      begins_here = true;
      is_new = true;
      sum = point_identity();
    }
  }
}
