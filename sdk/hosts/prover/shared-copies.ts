import {
  CALLS,
  DIRTY_BYTES,
  IS_USED,
  PIECES,
  SHARED_PIECE_BYTES,
  STATE_BYTES,
  stateOf,
  takeMemory,
  wipeShared,
} from '../../transport/shared-bytes.js';

/** Shared memory of a caller, which serves one call after another: fresh memory costs several times the copy. */
export class SharedCopies {
  /** The memory of earlier calls. The system may take it back between calls. */
  private known: WeakRef<SharedArrayBuffer>[] = [];

  /**
   * Room for a copy of bytes, and what copies them: to be called in the same turn, when the other side has been told of
   * the room.
   */
  begin(bytes: Uint8Array): { readonly copy: Uint8Array; readonly fill: () => void } {
    const memory = this.take(STATE_BYTES + 8 * Math.ceil(bytes.length / 8));
    const state = stateOf(memory);
    state[PIECES] = 0;
    state[CALLS]!++;
    state[DIRTY_BYTES] = Math.max(state[DIRTY_BYTES]!, bytes.length);
    const copy = new Uint8Array(memory, STATE_BYTES, bytes.length);
    const fill = (): void => {
      for (let at = 0; at < bytes.length; at += SHARED_PIECE_BYTES) {
        copy.set(bytes.subarray(at, at + SHARED_PIECE_BYTES), at);
        Atomics.add(state, PIECES, 1);
        Atomics.notify(state, PIECES);
      }
    };
    return { copy, fill };
  }

  /** Overwrites what is left of earlier calls, at once: for when the engine has ended, which does it otherwise. */
  wipe(): void {
    for (const memory of this.alive()) wipeShared(memory);
  }

  /** Memory of at least so many bytes, which is in use from now on. */
  private take(size: number): SharedArrayBuffer {
    const alive = this.alive();
    const unused = alive.find((memory) => memory.byteLength >= size && takeMemory(stateOf(memory)));
    if (unused !== undefined) return unused;
    const memory = new SharedArrayBuffer(size);
    stateOf(memory)[IS_USED] = 1;
    this.known = [...alive, memory].map((each) => new WeakRef(each));
    return memory;
  }

  private alive(): SharedArrayBuffer[] {
    return this.known.map((each) => each.deref()).filter((memory) => memory !== undefined);
  }
}
