// Adds to every bucket the sums of its full pieces, where whole groups of slots were folded into one. One thread a bucket;
// most have none.

struct Params {
  limbs: u32,
  // The buckets of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Entries of a full piece.
  longest: u32,
  // Parts of a group that were folded at a time, and slots of the largest groups.
  parts: u32,
  largest: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Where the run of each bucket begins, and the number of all entries.
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
// Number of the first full piece of each bucket that has one: its slot.
@group(0) @binding(2) var<storage, read> first_pieces: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> buckets: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let bucket = params.first + id.x + id.y * groups.x * 64u;
  if (bucket >= params.end) {
    return;
  }
  let entries = offsets[bucket + 1u] - offsets[bucket];
  if (entries <= params.longest) {
    return;
  }
  var slot = first_pieces[bucket];
  let stop = slot + (entries - 1u) / params.longest;
  var sum = load_bucket(bucket);
  while (slot < stop) {
    // The largest group that begins here and is the bucket's own.
    var size = 1u;
    while (size < params.largest && slot % (size * params.parts) == 0u && slot + size * params.parts <= stop) {
      size *= params.parts;
    }
    sum = point_add(sum, load_slot(slot));
    slot += size;
  }
  store_bucket(bucket, sum);
}
