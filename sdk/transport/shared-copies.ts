import { IS_USED, missingFrom, PIECE_BYTES, PIECES, STATE_BYTES, stateOf } from './shared-bytes.js';

/** Doubles that are overwritten at once: less than a millisecond's work. */
const WIPED_AT_ONCE = 2 ** 19;

/** Shared memory of a caller, which serves one call after another: fresh memory costs several times the copy. */
export class SharedCopies {
  /** The system may take it back between calls. */
  private known: WeakRef<SharedArrayBuffer>[] = [];

  /**
   * Room for a copy of bytes, and what copies them: to be called in the same turn, when the other side has been told of
   * the room.
   */
  begin(bytes: Uint8Array): { readonly copy: Uint8Array; readonly fill: () => void } {
    const memory = this.take(STATE_BYTES + 8 * Math.ceil(bytes.length / 8));
    const state = stateOf(memory);
    state.set([1, 0]);
    const copy = new Uint8Array(memory, STATE_BYTES, bytes.length);
    const fill = (): void => {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        copy.set(bytes.subarray(at, at + PIECE_BYTES), at);
        Atomics.add(state, PIECES, 1);
        Atomics.notify(state, PIECES);
      }
    };
    return { copy, fill };
  }

  /** Unused memory of at least so many bytes. */
  private take(size: number): SharedArrayBuffer {
    for (const each of this.known) {
      const memory = each.deref();
      if (memory !== undefined && memory.byteLength >= size && Atomics.load(stateOf(memory), IS_USED) === 0) {
        return memory;
      }
    }
    const memory = new SharedArrayBuffer(size);
    this.known = [...this.known.filter((each) => each.deref() !== undefined), new WeakRef(memory)];
    return memory;
  }
}

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
