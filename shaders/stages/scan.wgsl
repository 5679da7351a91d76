// Replaces every counter by the sum of those before it in its block of 1024, and writes each block's total, of which the
// next level does the same. One workgroup a block, four counters a thread.

struct Params {
  limbs: u32,
  // Threads of this dispatch, 256 a block.
  first: u32,
  end: u32,
  // The counters of this level: start <= i < start + length. Totals go to totals_at and on.
  start: u32,
  length: u32,
  totals_at: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> counters: array<u32>;

const THREADS = 256u;

var<workgroup> sums: array<u32, THREADS>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let block = params.first / THREADS + group.x + group.y * groups.x;
  // A dispatch may have a few workgroups too many; they must do nothing, yet meet every barrier.
  let length = select(0u, params.length, block * THREADS < params.end);
  let mine = (block * THREADS + local) * 4u;
  var values: array<u32, 4>;
  var sum = 0u;
  for (var k = 0u; k < 4u; k++) {
    if (mine + k < length) {
      values[k] = counters[params.start + mine + k];
    }
    sum += values[k];
  }
  sums[local] = sum;
  workgroupBarrier();
  // Inclusive scan of the threads' sums (Hillis and Steele, 1986).
  for (var distance = 1u; distance < THREADS; distance *= 2u) {
    var before = 0u;
    if (local >= distance) {
      before = sums[local - distance];
    }
    workgroupBarrier();
    sums[local] += before;
    workgroupBarrier();
  }
  var offset = sums[local] - sum;
  for (var k = 0u; k < 4u; k++) {
    if (mine + k < length) {
      counters[params.start + mine + k] = offset;
    }
    offset += values[k];
  }
  if (local == THREADS - 1u && length != 0u) {
    counters[params.totals_at + block] = sums[local];
  }
}
