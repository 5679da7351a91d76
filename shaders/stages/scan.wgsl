// Exclusive prefix sum of a level's counters within each block; also writes each block's total, which the next level
// scans. The level has the `length` counters from `start` on; the totals begin at `totals_at`. One workgroup per block,
// COUNTERS_PER_THREAD counters per thread.

var<workgroup> sums: array<u32, WORKGROUP>;

fn run(t: u32, local: u32) {
  let block = t / WORKGROUP;
  // A dispatch may have a few excess workgroups; they must do nothing, yet reach every barrier.
  let length = select(0u, params.length, block * WORKGROUP < params.end);
  let mine = t * COUNTERS_PER_THREAD;
  var values: array<u32, COUNTERS_PER_THREAD>;
  var sum = 0u;
  for (var k = 0u; k < COUNTERS_PER_THREAD; k++) {
    if (mine + k < length) {
      values[k] = counters[params.start + mine + k];
    }
    sum += values[k];
  }
  sums[local] = sum;
  workgroupBarrier();
  // Inclusive scan of the threads' sums (Hillis and Steele, 1986).
  for (var distance = 1u; distance < WORKGROUP; distance *= 2u) {
    var before = 0u;
    if (local >= distance) {
      before = sums[local - distance];
    }
    workgroupBarrier();
    sums[local] += before;
    workgroupBarrier();
  }
  var offset = sums[local] - sum;
  for (var k = 0u; k < COUNTERS_PER_THREAD; k++) {
    if (mine + k < length) {
      counters[params.start + mine + k] = offset;
    }
    offset += values[k];
  }
  if (local == WORKGROUP - 1u && length != 0u) {
    counters[params.totals_at + block] = sums[local];
  }
}
