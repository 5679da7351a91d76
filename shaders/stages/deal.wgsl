// Lists the pieces by rank. One thread a bucket.

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
// The places that the pieces of each rank take, as `tally` counts them; behind them how many are taken; at last the slots.
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;
// The bucket of each piece, plus 1; 0 where there is none.
@group(0) @binding(3) var<storage, read_write> pieces: array<u32>;
// Number of the first full piece of each bucket that has one.
@group(0) @binding(4) var<storage, read_write> first_pieces: array<u32>;

// Places of each rank that this workgroup takes, all places of the rank, and where the workgroup's begin.
var<workgroup> counts: array<atomic<u32>, RANKS>;
var<workgroup> totals: array<u32, RANKS>;
var<workgroup> starts: array<u32, RANKS>;

// Buckets with many full pieces, which the whole workgroup lists: bucket, first place and number of pieces.
const MANY = 32u;
var<workgroup> large_count: atomic<u32>;
var<workgroup> large: array<vec3u, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let bucket = params.first + (group.x + group.y * groups.x) * 256u + local;
  var cut: Cut;
  if (bucket < params.end) {
    cut = cut_run(offsets[bucket + 1u] - offsets[bucket]);
  }
  var place = 0u;
  var full_place = 0u;
  if (cut.length != 0u) {
    place = atomicAdd(&counts[length_rank(cut.length)], 1u);
  }
  if (cut.full != 0u) {
    full_place = atomicAdd(&counts[cut.full_rank], cut.places);
  }
  if (local < RANKS) {
    totals[local] = atomicLoad(&bins[local]);
  }
  workgroupBarrier();
  if (local < RANKS) {
    var start = 0u;
    for (var rank = 0u; rank < local; rank++) {
      start += totals[rank];
    }
    if (local == FULL_RANKS) {
      atomicStore(&bins[SLOTS_AT], start);
    }
    let count = atomicLoad(&counts[local]);
    if (count != 0u) {
      start += atomicAdd(&bins[RANKS + local], count);
    }
    starts[local] = start;
  }
  workgroupBarrier();
  if (cut.length != 0u) {
    pieces[starts[length_rank(cut.length)] + place] = bucket + 1u;
  }
  if (cut.full != 0u) {
    let first = starts[cut.full_rank] + full_place;
    first_pieces[bucket] = first;
    if (cut.full > MANY) {
      large[atomicAdd(&large_count, 1u)] = vec3u(bucket, first, cut.full);
    } else {
      for (var k = 0u; k < cut.full; k++) {
        pieces[first + k] = bucket + 1u;
      }
    }
  }
  workgroupBarrier();
  let larges = atomicLoad(&large_count);
  for (var n = 0u; n < larges; n++) {
    let item = large[n];
    for (var k = local; k < item.z; k += 256u) {
      pieces[item.y + k] = item.x + 1u;
    }
  }
}
