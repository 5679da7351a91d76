// Adds the upper half of every array in `partials` to its lower half. An array has `length` places, of which the first 2 * `half` are added
// up. One addition a thread, `half` threads an array.

fn run(t: u32) {
  let at = t / params.half * params.length + t % params.half;
  store_slot(at, point_add(load_slot(at), load_slot(at + params.half)));
}
