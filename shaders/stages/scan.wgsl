// Replaces every counter of a level by the sum of those before it in its block, and writes each block's total, of which the next
// level does the same. The level's counters are those from `start` on, `length` of them; totals go to `totals_at` and on. One
// workgroup a block, COUNTERS_PER_THREAD counters a thread.

var<workgroup> sums: array<u32, WORKGROUP>;

fn run(t: u32, local: u32) {
  let block = t / WORKGROUP;
  // A dispatch may have a few workgroups too many; they must do nothing, yet meet every barrier.
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
