// One round of adding up the sums of full pieces, in place. In every group of `unit` * `parts` slots of a bucket that has at
// least so many, the sums of the group's parts, which the round before left in the first slot of each part, become one, in
// the first slot of the group. One thread a group.

struct Params {
  limbs: u32,
  // The groups of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Entries of a full piece.
  longest: u32,
  // Slots of a part, and parts of a group.
  unit: u32,
  parts: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Where the run of each bucket begins, and the number of all entries.
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
// The bucket of each piece, plus 1; 0 where there is none. Full pieces come first.
@group(0) @binding(2) var<storage, read> pieces: array<u32>;
// At last the slots of the full pieces.
@group(0) @binding(3) var<storage, read> bins: array<u32>;
@group(0) @binding(4) var<storage, read_write> slots: array<u32>;

const SLOTS_AT = 256u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * 64u;
  let first_slot = t * params.unit * params.parts;
  if (t >= params.end || first_slot >= bins[SLOTS_AT] || pieces[first_slot] == 0u) {
    return;
  }
  let bucket = pieces[first_slot] - 1u;
  let full = (offsets[bucket + 1u] - offsets[bucket] - 1u) / params.longest;
  if (full < params.unit * params.parts) {
    return;
  }
  var sum = load_slot(first_slot);
  for (var part = 1u; part < params.parts; part++) {
    let slot = first_slot + part * params.unit;
    if (pieces[slot] != 0u) {
      sum = point_add(sum, load_slot(slot));
    }
  }
  store_slot(first_slot, sum);
}
