// Adds up partial sums of the same bucket. The slots are a list sorted by bucket, with gaps: two for each share of the round
// before. One thread takes the slots of a few of those shares and does with them what accumulate does with points: a run
// that lies in its slots alone is the bucket's sum; of others it keeps its part, in the first slot when the run began before,
// in the second when it begins here and goes on.

struct Params {
  limbs: u32,
  // The threads of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Slots to be merged, and how many of them a thread takes (an even number).
  count: u32,
  share: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// The bucket of each slot, or NONE.
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> slots: array<u32>;
@group(0) @binding(3) var<storage, read_write> merged_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> merged_slots: array<u32>;
@group(0) @binding(5) var<storage, read_write> buckets: array<u32>;

const NONE = 0xffffffffu;

// The first slot from `low` on that is not empty, or `stop`.
fn filled_slot(low: u32, stop: u32) -> u32 {
  var at = low;
  while (at < stop && keys[at] == NONE) {
    at++;
  }
  return at;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * 64u;
  if (t >= params.end) {
    return;
  }
  merged_keys[2u * t] = NONE;
  merged_keys[2u * t + 1u] = NONE;
  let begin = t * params.share;
  let stop = min(begin + params.share, params.count);
  var slot = filled_slot(begin, stop);
  if (slot == stop) {
    return;
  }
  // Of a run that goes on, the share before has its part in one of its two slots, the share behind in its first one.
  var begins_here = begin == 0u || (keys[begin - 1u] != keys[slot] && keys[begin - 2u] != keys[slot]);
  var sum = point_identity();
  while (slot < stop) {
    let bucket = keys[slot];
    sum = point_add(sum, load_slot(slot));
    slot = filled_slot(slot + 1u, stop);
    if (slot < stop && keys[slot] == bucket) {
      continue;
    }
    let goes_on = slot == stop && stop < params.count && keys[stop] == bucket;
    if (begins_here && !goes_on) {
      store_bucket(bucket, sum);
    } else {
      let merged = 2u * t + select(0u, 1u, begins_here);
      merged_keys[merged] = bucket;
      store_merged(merged, sum);
    }
    begins_here = true;
    sum = point_identity();
  }
}
