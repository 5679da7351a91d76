// Adds to every counter the sum of the blocks before its own: the second half of the scan. One thread a counter.

struct Params {
  limbs: u32,
  // Counters of this dispatch, relative to `start`: first <= i < end.
  first: u32,
  end: u32,
  start: u32,
  // Where the scanned totals of the blocks lie.
  totals_at: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> counters: array<u32>;

const BLOCK = 1024u;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = params.first + id.x + id.y * groups.x * 256u;
  if (i < params.end) {
    counters[params.start + i] += counters[params.totals_at + i / BLOCK];
  }
}
