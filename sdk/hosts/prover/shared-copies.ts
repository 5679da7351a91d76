import { asPippinError } from '../../base/errors.js';
import { wipe } from '../../base/free-memory.js';
import {
  CALL_BYTES,
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
   *
   * @param aligned the number of the byte whose address is to be a multiple of 8, such as the first scalar's.
   */
  begin(bytes: Uint8Array, aligned = 0): { readonly copy: Uint8Array; readonly fill: () => void } {
    const before = -aligned & 7;
    const used = before + bytes.length;
    const memory = this.take(STATE_BYTES + 8 * Math.ceil(used / 8));
    const state = stateOf(memory);
    // Work of a call that has failed may still read them.
    Atomics.store(state, CALL_BYTES, used);
    Atomics.store(state, PIECES, 0);
    state[CALLS]!++;
    state[DIRTY_BYTES] = Math.max(state[DIRTY_BYTES]!, used);
    const copy = new Uint8Array(memory, STATE_BYTES + before, bytes.length);
    // Engines copy words of shared memory only between addresses that are alike modulo 8, and otherwise single bytes,
    // which takes five times as long. Then pieces go through memory of which that is true.
    const isAlike = ((bytes.byteOffset - copy.byteOffset) & 7) === 0;
    const fill = (): void => {
      const between = new Uint8Array(isAlike ? 0 : SHARED_PIECE_BYTES + 8);
      for (let from = -before; from < bytes.length; from += SHARED_PIECE_BYTES) {
        const at = Math.max(0, from);
        const piece = bytes.subarray(at, from + SHARED_PIECE_BYTES);
        const place = (before + at) & 7;
        if (!isAlike) between.set(piece, place);
        copy.set(isAlike ? piece : between.subarray(place, place + piece.length), at);
        Atomics.add(state, PIECES, 1);
        Atomics.notify(state, PIECES);
      }
      wipe(between);
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
    const memory = allocate(size);
    stateOf(memory)[IS_USED] = 1;
    this.known = [...alive, memory].map((each) => new WeakRef(each));
    return memory;
  }

  private alive(): SharedArrayBuffer[] {
    return this.known.map((each) => each.deref()).filter((memory) => memory !== undefined);
  }
}

function allocate(size: number): SharedArrayBuffer {
  try {
    return new SharedArrayBuffer(size);
  } catch (error) {
    throw asPippinError(error, 'OUT_OF_MEMORY', `expected ${size} bytes of memory for a copy`);
  }
}
