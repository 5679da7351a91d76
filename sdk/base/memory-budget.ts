import { PippinError } from './errors.js';

/** The work does not fit a memory budget, and whoever has another memory may do it. */
export class BudgetExceeded extends PippinError {
  constructor(message: string, hint = 'release other bases, or give a larger memoryBudget') {
    super('OUT_OF_MEMORY', message, { hint });
  }
}

/** Bytes of a budget that are in use, until they are released. */
export class Lease {
  constructor(
    readonly kind: string,
    private left: number,
    private readonly onRelease: (bytes: number) => void,
  ) {}

  get bytes(): number {
    return this.left;
  }

  /** Releases some of the bytes. */
  reduce(bytes: number): void {
    const given = Math.min(bytes, this.left);
    this.left -= given;
    if (given > 0) this.onRelease(given);
  }

  /** Releases all bytes. Idempotent. */
  release(): void {
    this.reduce(this.left);
  }
}

/**
 * The bytes that may be held at once in one memory: a GPU's, or the kernel workers' together. All who hold something
 * there lease its bytes, so that the leases together never exceed the limit.
 */
export class MemoryBudget {
  private readonly kinds = new Map<string, number>();
  private sum = 0;
  private most = 0;

  /** @param limit no limit if it is left out; leases are counted all the same. */
  constructor(readonly limit = Number.POSITIVE_INFINITY) {}

  get isLimited(): boolean {
    return this.limit !== Number.POSITIVE_INFINITY;
  }

  /** The bytes of all leases. */
  get leased(): number {
    return this.sum;
  }

  /** What is left. */
  get available(): number {
    return this.limit - this.sum;
  }

  /** The most bytes that were leased at once so far. */
  get peak(): number {
    return this.most;
  }

  /** The leased bytes of some kinds. */
  leasedOf(...kinds: readonly string[]): number {
    return kinds.reduce((sum, kind) => sum + (this.kinds.get(kind) ?? 0), 0);
  }

  /** Leases bytes for something of a kind. `OUT_OF_MEMORY` (`BudgetExceeded`) when fewer are left. */
  lease(bytes: number, kind: string): Lease {
    if (bytes > this.available) {
      throw new BudgetExceeded(
        `expected at most ${this.available} bytes of ${kind}, which a memoryBudget of ${this.limit} has left, got ${bytes}`,
      );
    }
    this.add(bytes, kind);
    this.most = Math.max(this.most, this.sum);
    return new Lease(kind, bytes, (given) => this.add(-given, kind));
  }

  private add(bytes: number, kind: string): void {
    this.sum += bytes;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + bytes);
  }
}
