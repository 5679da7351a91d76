// The values of a witness one after another, in one call from JavaScript instead of one for each.

/** The circuit's own function: puts a value of the witness into its window, in normal form. */
@external('circuit', 'getWitness')
declare function getWitness(index: i32): void;

/** Bytes of a value. */
const VALUE_BYTES: usize = 32;

/**
 * Copies the first `count` values from the window over the memory of circom's stack, on which nothing is left when the
 * circuit has run, and gives their address. The stack begins where the word at address 0 says; 0 if that is below
 * `least`, the end of all that the memory holds at first, or leaves no room.
 */
export function copyWitness(count: i32, window: usize, least: usize): usize {
  const stack = load<usize>(0);
  const end = <u64>stack + <u64>(<u32>count) * <u64>VALUE_BYTES;
  if (stack < least || end > <u64>(<u32>memory.size()) << 16) return 0;
  let to = stack;
  for (let i: i32 = 0; i < count; i++) {
    getWitness(i);
    store<u64>(to, load<u64>(window));
    store<u64>(to, load<u64>(window, 8), 8);
    store<u64>(to, load<u64>(window, 16), 16);
    store<u64>(to, load<u64>(window, 24), 24);
    to += VALUE_BYTES;
  }
  return stack;
}
