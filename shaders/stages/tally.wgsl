// Counts the pieces of every length. A bucket's run of the sorted list is cut into full pieces and one piece behind them, of
// 1 to `longest` entries; all of a full piece's sums have to be merged later. One thread a bucket.

struct Params {
  limbs: u32,
  // The buckets of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Entries of a full piece: below BINS.
  longest: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Where the run of each bucket begins, and the number of all entries.
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
// Number 0 counts the full pieces, number n the others of n entries.
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;

const BINS = 128u;

var<workgroup> counts: array<atomic<u32>, BINS>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let bucket = params.first + (group.x + group.y * groups.x) * 256u + local;
  if (bucket < params.end) {
    let size = offsets[bucket + 1u] - offsets[bucket];
    if (size != 0u) {
      let full = (size - 1u) / params.longest;
      atomicAdd(&counts[size - full * params.longest], 1u);
      if (full != 0u) {
        atomicAdd(&counts[0], full);
      }
    }
  }
  workgroupBarrier();
  if (local < BINS) {
    let count = atomicLoad(&counts[local]);
    if (count != 0u) {
      atomicAdd(&bins[local], count);
    }
  }
}
