// Counts the pieces by rank. One thread a bucket.

struct Params {
  limbs: u32,
  // The buckets of this dispatch: first <= t < end.
  first: u32,
  end: u32,
  // Entries of a full piece, and slots whose sums become one in a round.
  longest: u32,
  parts: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Where the run of each bucket begins, and the number of all entries.
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
// The places that the pieces of each rank take.
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;

var<workgroup> counts: array<atomic<u32>, RANKS>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let bucket = params.first + (group.x + group.y * groups.x) * 256u + local;
  if (bucket < params.end) {
    let cut = cut_run(offsets[bucket + 1u] - offsets[bucket]);
    if (cut.length != 0u) {
      atomicAdd(&counts[length_rank(cut.length)], 1u);
    }
    if (cut.full != 0u) {
      atomicAdd(&counts[cut.full_rank], cut.places);
    }
  }
  workgroupBarrier();
  if (local < RANKS) {
    let count = atomicLoad(&counts[local]);
    if (count != 0u) {
      atomicAdd(&bins[local], count);
    }
  }
}
