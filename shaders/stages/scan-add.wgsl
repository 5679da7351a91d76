// Second half of the prefix sum: adds to every counter of a level, from `start` on, the total of the blocks before its
// own, from the scanned totals at `totals_at`. One thread per counter.

fn run(t: u32) {
  counters[params.start + t] += counters[params.totals_at + t / BLOCK];
}
