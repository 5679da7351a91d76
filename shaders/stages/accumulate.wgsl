// Sums the points of every piece of the list that is sorted by bucket. One thread a piece; those side by side are equally
// long. A full piece's sum goes to a slot of its own, the sum of a bucket's last piece to the bucket.

struct Params {
  limbs: u32,
  // The pieces of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Entries of a full piece.
  longest: u32,
  // 1 when the buckets hold the sums of earlier points, to which these are added.
  continued: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bases: array<u32>;
// Index of the base in the low 31 bits, its sign in bit 31.
@group(0) @binding(2) var<storage, read> sorted: array<u32>;
// Where the run of each bucket begins, and the number of all entries.
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
// The bucket of each piece, plus 1; 0 where there is none. Full pieces come first.
@group(0) @binding(4) var<storage, read> pieces: array<u32>;
// Number of the first full piece of each bucket that has one.
@group(0) @binding(5) var<storage, read> first_pieces: array<u32>;
// At last the slots of the full pieces.
@group(0) @binding(6) var<storage, read> bins: array<u32>;
@group(0) @binding(7) var<storage, read_write> buckets: array<u32>;
@group(0) @binding(8) var<storage, read_write> slots: array<u32>;

const INDEX = 0x7fffffffu;
const SLOTS_AT = 256u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * 64u;
  if (t >= params.end || pieces[t] == 0u) {
    return;
  }
  let bucket = pieces[t] - 1u;
  let is_full = t < bins[SLOTS_AT];
  var begin = offsets[bucket];
  var end = offsets[bucket + 1u];
  if (is_full) {
    begin += (t - first_pieces[bucket]) * params.longest;
    end = begin + params.longest;
  } else {
    begin += (end - begin - 1u) / params.longest * params.longest;
  }
  var sum = point_identity();
  if (params.continued == 1u && !is_full) {
    sum = load_bucket(bucket);
  }
  for (var entry = begin; entry < end; entry++) {
    let item = sorted[entry];
    sum = point_add_base(sum, base_negate_if(base_load(item & INDEX), item > INDEX));
  }
  if (is_full) {
    store_slot(t, sum);
  } else {
    store_bucket(bucket, sum);
  }
}
