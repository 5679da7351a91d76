import { IS_USED, PIECES, SHARED_PIECE_BYTES, STATE_BYTES, stateOf } from '../../transport/shared-bytes.js';

/** Shared memory of a caller, which serves one call after another: fresh memory costs several times the copy. */
export class SharedCopies {
  /** The memory of an earlier call. The system may take it back between calls. */
  private spare: WeakRef<SharedArrayBuffer> | undefined;

  /**
   * Room for a copy of bytes, and what copies them: to be called in the same turn, when the other side has been told of
   * the room.
   */
  begin(bytes: Uint8Array): { readonly copy: Uint8Array; readonly fill: () => void } {
    const size = STATE_BYTES + 8 * Math.ceil(bytes.length / 8);
    let memory = this.spare?.deref();
    if (memory === undefined || memory.byteLength < size || Atomics.load(stateOf(memory), IS_USED) === 1) {
      memory = new SharedArrayBuffer(size);
      this.spare = new WeakRef(memory);
    }
    const state = stateOf(memory);
    state.set([1, 0]);
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
}
