// The values of a witness one after another, in one call from JavaScript instead of one for each.

/** The circuit's own function: puts a value of the witness into its window, in normal form. */
@external('circuit', 'getWitness')
declare function getWitness(index: i32): void;

/** Bytes of a value. */
const VALUE_BYTES: usize = 32;

/** Copies `count` values, from number `index` on, from the window to `to`. */
export function copyWitness(index: i32, count: i32, window: usize, to: usize): void {
  for (; count > 0; count--) {
    getWitness(index++);
    store<u64>(to, load<u64>(window));
    store<u64>(to, load<u64>(window, 8), 8);
    store<u64>(to, load<u64>(window, 16), 16);
    store<u64>(to, load<u64>(window, 24), 24);
    to += VALUE_BYTES;
  }
}
