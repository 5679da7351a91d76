/**
 * A call's bytes in memory that the caller's thread, the coordinator and the workers share: they are copied once, and
 * used while the rest is still being copied. Its first words hold the state.
 */

/** The words of the state: whether a call uses the memory, and how many pieces have been copied. */
export const IS_USED = 0;
export const PIECES = 1;
export const STATE_BYTES = 64;

/** Bytes of a piece. */
export const SHARED_PIECE_BYTES = 2 ** 18;

/** Whether the threads of this page or process may share memory. */
export const canShareMemory = typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;

/** Whether bytes are in such memory. */
export function isShared(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && canShareMemory && value.buffer instanceof SharedArrayBuffer;
}

export function stateOf(memory: ArrayBufferLike): Int32Array {
  return new Int32Array(memory, 0, 2);
}

/** The number of pieces that are there; undefined if they have all of these bytes. */
export function missingFrom({ byteOffset, length }: Uint8Array, state: Int32Array): number | undefined {
  const pieces = Atomics.load(state, PIECES);
  return pieces * SHARED_PIECE_BYTES + STATE_BYTES < byteOffset + length ? pieces : undefined;
}

/** Blocks a worker until a part of a call's bytes is there. */
export function waitForShared(bytes: Uint8Array): void {
  const state = stateOf(bytes.buffer);
  for (let pieces = missingFrom(bytes, state); pieces !== undefined; pieces = missingFrom(bytes, state)) {
    Atomics.wait(state, PIECES, pieces);
  }
}

/** Doubles that are overwritten at once: less than a millisecond's work. */
const WIPED_AT_ONCE = 2 ** 19;

/** Where engines have it, `Atomics.waitAsync` ends with the next piece. */
interface WaitingAtomics {
  waitAsync?(words: Int32Array, index: number, value: number): { readonly value: unknown };
}

/** Fulfilled when bytes are there: those in shared memory may still be being copied. */
export async function untilThere(bytes: Uint8Array): Promise<void> {
  if (!isShared(bytes)) return;
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
