import { freeMemory } from '../../../base/free-memory.js';
import { PendingWork } from '../../../base/pending-work.js';

/**
 * Bytes that need not be kept in memory, because they can be computed or read again. `get` returns the bytes given at
 * first until `free` is called; after that, or if none were given, `restore` makes them anew. Calls of `get` while
 * `restore` runs share its result, which is not kept.
 */
export class RestorableBytes {
  private held: Promise<Uint8Array> | undefined;
  private readonly uses = new PendingWork();

  constructor(
    bytes: Uint8Array | undefined,
    private readonly restore: () => Promise<Uint8Array>,
  ) {
    this.held = bytes && Promise.resolve(bytes);
  }

  get(): Promise<Uint8Array> {
    if (this.held === undefined) {
      const restored = this.restore();
      this.held = restored;
      const forget = (): void => {
        if (this.held === restored) this.held = undefined;
      };
      restored.then(forget, forget);
    }
    return this.held;
  }

  /** Runs `work` with the bytes. They stay in memory until it has settled, whoever frees them meanwhile. */
  use<T>(work: (bytes: Uint8Array) => Promise<T>): Promise<T> {
    return this.uses.note(this.get().then(work));
  }

  /**
   * Frees the bytes that were given at first, as soon as nothing uses them. Bytes that `get` returned must no longer be
   * in use.
   */
  async free(): Promise<void> {
    const { held } = this;
    this.held = undefined;
    if (held === undefined) return;
    await this.uses.ended();
    freeMemory(await held);
  }
}
