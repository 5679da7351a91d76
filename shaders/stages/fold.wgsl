// One round of adding up the sums of full pieces, in place. Where a group of `unit` * `parts` slots belongs to one bucket,
// the sums of the group's parts, which the round before left in the first slot of each part, become one, in the first slot
// of the group. One thread a group.

struct Params {
  limbs: u32,
  // The groups of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Slots of a part, and parts of a group.
  unit: u32,
  parts: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// The bucket of each piece, plus 1. Full pieces come first, those of one bucket together.
@group(0) @binding(1) var<storage, read> pieces: array<u32>;
// The number of full pieces, and what is not needed here.
@group(0) @binding(2) var<storage, read> bins: array<u32>;
@group(0) @binding(3) var<storage, read_write> slots: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * 64u;
  let first_slot = t * params.unit * params.parts;
  let last_slot = first_slot + params.unit * params.parts - 1u;
  if (t >= params.end || last_slot >= bins[0] || pieces[first_slot] != pieces[last_slot]) {
    return;
  }
  var sum = load_slot(first_slot);
  for (var part = 1u; part < params.parts; part++) {
    sum = point_add(sum, load_slot(first_slot + part * params.unit));
  }
  store_slot(first_slot, sum);
}
