import { PippinError } from '../errors.js';

/** Something that the engine keeps for its caller. */
interface Held {
  release(): void;
}

/**
 * What the engine keeps for its caller, by number. All kinds share the numbers, so that a number means one thing, and none is given
 * twice.
 */
export class Handles<Kinds extends { readonly [kind: string]: Held }> {
  private readonly held = new Map<number, { readonly kind: keyof Kinds; readonly value: Held }>();
  private last = 0;

  /** @param names what a caller calls each kind, for messages. */
  constructor(private readonly names: Readonly<Record<keyof Kinds, string>>) {}

  add<K extends keyof Kinds>(kind: K, value: Kinds[K]): number {
    const handle = ++this.last;
    this.held.set(handle, { kind, value });
    return handle;
  }

  /** `DISPOSED` when it was released before, `INVALID_HANDLE` when it stands for something else or was never given. */
  get<K extends keyof Kinds>(kind: K, handle: number): Kinds[K] {
    const expected = this.names[kind];
    const found = this.held.get(handle);
    if (found?.kind === kind) return found.value as Kinds[K];
    if (found !== undefined) {
      throw new PippinError(
        'INVALID_HANDLE',
        `expected the handle of ${expected}, got that of ${this.names[found.kind]}`,
      );
    }
    if (Number.isInteger(handle) && handle >= 1 && handle <= this.last) {
      throw new PippinError('DISPOSED', `expected the handle of ${expected}, got one that was disposed`);
    }
    throw new PippinError('INVALID_HANDLE', `expected the handle of ${expected}, got one that was never given`);
  }

  /** Harmless when called twice. */
  release(handle: number): void {
    this.held.get(handle)?.value.release();
    this.held.delete(handle);
  }
}
