import { freeMemory } from '../../transport/free-memory.js';

/**
 * Bytes that can be computed or read again, so that they need not be kept in memory: those given at first serve until `free`, after that
 * `restore` makes new ones whenever they are asked for. Those who ask while it runs share one result, which is not kept.
 */
export class RestorableBytes {
  private held: Promise<Uint8Array> | undefined;

  constructor(
    bytes: Uint8Array,
    private readonly restore: () => Promise<Uint8Array>,
  ) {
    this.held = Promise.resolve(bytes);
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

  /** Frees the bytes that were given at first; nobody may still be reading them. */
  async free(): Promise<void> {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) freeMemory(await held);
  }
}
