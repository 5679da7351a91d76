// Adds to every bucket the sums of its full pieces, of which the rounds of folding leave at most `parts`. One thread a bucket;
// most have none.

struct Params {
  limbs: u32,
  // The buckets of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Entries of a full piece.
  longest: u32,
  // Parts of a group that were folded at a time.
  parts: u32,
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
  let full = (entries - 1u) / params.longest;
  // Slots that were folded into one.
  var unit = 1u;
  while (full / unit >= params.parts) {
    unit *= params.parts;
  }
  var sum = load_bucket(bucket);
  for (var k = 0u; k < full; k += unit) {
    sum = point_add(sum, load_slot(first_pieces[bucket] + k));
  }
  store_bucket(bucket, sum);
}
