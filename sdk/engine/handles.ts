import { PippinError } from '../base/errors.js';

/** An object that the engine keeps for its caller. */
interface Held {
  release(): void;
}

/**
 * The objects that the engine keeps for its caller, by number. All kinds share one sequence of numbers, and no number
 * is used twice.
 */
export class Handles<Kinds extends { readonly [kind: string]: Held }> {
  private readonly held = new Map<number, { readonly kind: keyof Kinds; readonly value: Held }>();
  private last = 0;

  /** @param names the word for each kind, as messages use it. */
  constructor(private readonly names: Readonly<Record<keyof Kinds, string>>) {}

  add<K extends keyof Kinds>(kind: K, value: Kinds[K]): number {
    const handle = ++this.last;
    this.held.set(handle, { kind, value });
    return handle;
  }

  /**
   * `DISPOSED` when the object was released, `INVALID_HANDLE` when the number belongs to another kind of object or was
   * never given out.
   */
  get<K extends keyof Kinds>(kind: K, handle: number): Kinds[K] {
    const expected = this.names[kind];
    const found = this.held.get(handle);
    if (found?.kind === kind) return found.value as Kinds[K];
    if (found !== undefined) {
      throw new PippinError(
        'INVALID_HANDLE',
        `expected the handle of ${expected}, got the handle of ${this.names[found.kind]}`,
      );
    }
    if (Number.isInteger(handle) && handle >= 1 && handle <= this.last) {
      throw new PippinError('DISPOSED', `expected the handle of ${expected}, got one that was disposed`);
    }
    throw new PippinError('INVALID_HANDLE', `expected the handle of ${expected}, got one that was never given`);
  }

  /** Releases an object. Idempotent. */
  release(handle: number): void {
    this.held.get(handle)?.value.release();
    this.held.delete(handle);
  }
}
