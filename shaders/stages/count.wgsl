// Counts the digits of every bucket, and keeps for each digit its rank: how many came to its bucket before it.
// One thread a scalar. Which of two digits comes first is left to the device: the order within a bucket does not matter.

@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> ranks: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = params.first + id.x + id.y * groups.x * 256u;
  if (i >= params.end) {
    return;
  }
  var carry = 0u;
  // The carry runs through the windows below those of the pass.
  for (var w = 0u; w < params.first_window + params.windows; w++) {
    let magnitude = next_digit(i, w, &carry) & MAGNITUDE;
    if (w >= params.first_window && magnitude != 0u) {
      let window = w - params.first_window;
      ranks[digit_row(i, window)] = atomicAdd(&counters[bucket_of_digit(i, window, magnitude)], 1u);
    }
  }
}
