import { freeMemory } from '../../transport/free-memory.js';

/** Bytes that can be made again: at hand until they are let go, after that made for whoever asks, once for all who ask meanwhile. */
export class Remade {
  private held: Promise<Uint8Array> | undefined;

  constructor(
    bytes: Uint8Array,
    private readonly make: () => Promise<Uint8Array>,
  ) {
    this.held = Promise.resolve(bytes);
  }

  get(): Promise<Uint8Array> {
    if (this.held === undefined) {
      const made = this.make();
      this.held = made;
      const forget = (): void => {
        if (this.held === made) this.held = undefined;
      };
      made.then(forget, forget);
    }
    return this.held;
  }

  /** Frees the bytes that were given first; nobody may be reading them any more. */
  async letGo(): Promise<void> {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) freeMemory(await held);
  }
}
