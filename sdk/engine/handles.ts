import { PippinError } from '../errors.js';

/** Shared by all kinds of handles, so that a number means one thing. */
let nextHandle = 1;

/** What the engine keeps for its caller, by number. */
export class Handles<T extends { release(): void }> {
  private readonly held = new Map<number, T>();

  constructor(private readonly what: string) {}

  add(value: T): number {
    const handle = nextHandle++;
    this.held.set(handle, value);
    return handle;
  }

  /** `DISPOSED` when it was released before. */
  get(handle: number): T {
    const value = this.held.get(handle);
    if (value === undefined)
      throw new PippinError('DISPOSED', `expected ${this.what} that is loaded, got one that was disposed`);
    return value;
  }

  /** Harmless when called twice. */
  release(handle: number): void {
    this.held.get(handle)?.release();
    this.held.delete(handle);
  }
}
