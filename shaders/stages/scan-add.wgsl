// Adds to every counter of a level, from `start` on, the sum of the blocks before its own, which lie scanned at `totals_at`: the
// second half of the scan. One thread a counter.

fn run(t: u32) {
  counters[params.start + t] += counters[params.totals_at + t / BLOCK];
}
