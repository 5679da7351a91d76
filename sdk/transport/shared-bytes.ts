import { wipe } from '../base/free-memory.js';

/**
 * A call's bytes in memory that the caller's thread, the coordinator and the workers share: they are copied once, and
 * used while the rest is still being copied. Its first words hold the state.
 */

/**
 * The words of the state: whether a call uses the memory, how many pieces of its bytes have been copied, how many bytes
 * it has, the number of calls until now, and the bytes of the longest since the memory was overwritten.
 */
export const IS_USED = 0;
export const PIECES = 1;
export const CALL_BYTES = 2;
export const CALLS = 3;
export const DIRTY_BYTES = 4;
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
  return new Int32Array(memory, 0, 5);
}

/**
 * The number of pieces that are there; undefined if they have all of these bytes, or the memory is a shorter call's:
 * then the call of these bytes has failed, and nobody waits for what is computed of them.
 */
export function missingFrom({ byteOffset, length }: Uint8Array, state: Int32Array): number | undefined {
  const end = byteOffset + length - STATE_BYTES;
  const pieces = Atomics.load(state, PIECES);
  return end <= Atomics.load(state, CALL_BYTES) && pieces * SHARED_PIECE_BYTES < end ? pieces : undefined;
}

/** Blocks a worker until a part of a call's bytes is there. */
export function waitForShared(bytes: Uint8Array): void {
  const state = stateOf(bytes.buffer);
  for (let pieces = missingFrom(bytes, state); pieces !== undefined; pieces = missingFrom(bytes, state)) {
    Atomics.wait(state, PIECES, pieces);
  }
}

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
 * Milliseconds until a call's bytes are overwritten. A call that begins meanwhile has the memory: calls in succession
 * overwrite it themselves, and to do it between them as well would take as long as their copies.
 */
const UNUSED_MS = 100;

/**
 * Overwrites a call's bytes that nothing reads any more, once: from then on shared memory is a later call's, and is
 * overwritten if none comes.
 */
export function forget(bytes: Uint8Array): void {
  if (!isShared(bytes)) {
    wipe(bytes);
    return;
  }
  const { buffer } = bytes;
  const state = stateOf(buffer);
  const calls = state[CALLS];
  Atomics.store(state, IS_USED, 0);
  setTimeout(() => {
    if (state[CALLS] !== calls || !takeMemory(state)) return;
    wipeShared(buffer);
    Atomics.store(state, IS_USED, 0);
  }, UNUSED_MS);
}

/** Takes memory for a call, or to overwrite it; false if it is in use. */
export function takeMemory(state: Int32Array): boolean {
  return Atomics.compareExchange(state, IS_USED, 0, 1) === 0;
}

/** Overwrites what calls have left in memory. */
export function wipeShared(memory: ArrayBufferLike): void {
  const state = stateOf(memory);
  // Engines write shared memory element by element: doubles take an eighth of the time of bytes, 1 ms for 32 MB.
  new Float64Array(memory, STATE_BYTES, Math.ceil(state[DIRTY_BYTES]! / 8)).fill(0);
  state[DIRTY_BYTES] = 0;
}
