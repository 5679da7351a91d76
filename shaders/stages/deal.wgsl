// Lists the pieces by falling length, so that threads side by side have the same work: the full pieces first, those of one
// bucket together, then the others. One thread a bucket.

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
// The pieces of each length, as `tally` counts them, and behind them how many of each are listed.
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;
// The bucket of each piece, plus 1; 0 behind the last one.
@group(0) @binding(3) var<storage, read_write> pieces: array<u32>;
// Number of the first full piece of each bucket that has one.
@group(0) @binding(4) var<storage, read_write> first_pieces: array<u32>;

const BINS = 128u;

// Pieces of each length that this workgroup lists, and where they go.
var<workgroup> counts: array<atomic<u32>, BINS>;
var<workgroup> totals: array<u32, BINS>;
var<workgroup> starts: array<u32, BINS>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let bucket = params.first + (group.x + group.y * groups.x) * 256u + local;
  var size = 0u;
  if (bucket < params.end) {
    size = offsets[bucket + 1u] - offsets[bucket];
  }
  var full = 0u;
  var length = 0u;
  var rank = 0u;
  var full_rank = 0u;
  if (size != 0u) {
    full = (size - 1u) / params.longest;
    length = size - full * params.longest;
    rank = atomicAdd(&counts[length], 1u);
    full_rank = atomicAdd(&counts[0], full);
  }
  if (local < BINS) {
    totals[local] = atomicLoad(&bins[local]);
  }
  workgroupBarrier();
  if (local < BINS) {
    // What comes before: for the full pieces nothing, for the others those and all longer ones.
    var start = select(totals[0], 0u, local == 0u);
    for (var n = params.longest; local != 0u && n > local; n--) {
      start += totals[n];
    }
    let count = atomicLoad(&counts[local]);
    if (count != 0u) {
      start += atomicAdd(&bins[BINS + local], count);
    }
    starts[local] = start;
  }
  workgroupBarrier();
  if (size == 0u) {
    return;
  }
  pieces[starts[length] + rank] = bucket + 1u;
  if (full != 0u) {
    let first = starts[0] + full_rank;
    first_pieces[bucket] = first;
    for (var k = 0u; k < full; k++) {
      pieces[first + k] = bucket + 1u;
    }
  }
}
