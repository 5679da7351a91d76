import { IS_USED, missingFrom, PIECES, STATE_BYTES, stateOf } from '../transport/shared-bytes.js';

/** Doubles that are overwritten at once: less than a millisecond's work. */
const WIPED_AT_ONCE = 2 ** 19;

/** Where engines have it, `Atomics.waitAsync` ends with the next piece. */
interface WaitingAtomics {
  waitAsync?(words: Int32Array, index: number, value: number): { readonly value: unknown };
}

/** Fulfilled when a part of a call's bytes is there. */
export async function untilShared(bytes: Uint8Array): Promise<void> {
  const state = stateOf(bytes.buffer);
  const { waitAsync } = Atomics as WaitingAtomics;
  for (let pieces = missingFrom(bytes, state); pieces !== undefined; pieces = missingFrom(bytes, state)) {
    await (waitAsync?.(state, PIECES, pieces).value ?? new Promise((resolve) => setTimeout(resolve)));
  }
}

/**
 * Overwrites a call's bytes that nothing reads any more, after the answer and between other work; then a later call may
 * have the memory.
 */
export function releaseShared({ buffer }: Uint8Array): void {
  // Engines write shared memory element by element: doubles take an eighth of the time of bytes.
  const doubles = new Float64Array(buffer, STATE_BYTES);
  let from = 0;
  const overwrite = (): void => {
    doubles.fill(0, from, from + WIPED_AT_ONCE);
    from += WIPED_AT_ONCE;
    if (from < doubles.length) setTimeout(overwrite);
    else Atomics.store(stateOf(buffer), IS_USED, 0);
  };
  setTimeout(overwrite);
}
