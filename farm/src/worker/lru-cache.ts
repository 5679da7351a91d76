/** An entry of the cache. */
interface Kept<T> {
  readonly value: Promise<T>;
  isLoaded: boolean;
  /** Its current users. An entry in use is not evicted. */
  users: number;
  bytes: number;
}

/** The parts of a cache. */
interface LruOptions<T> {
  /** The budget in bytes. Entries in use may exceed it, and so may a single larger one. */
  readonly budget: number;
  /** The size in bytes, if known before loading. */
  readonly bytesOf: (id: string) => number;
  readonly load: (id: string) => Promise<T>;
  readonly drop: (value: T) => Promise<void>;
}

/** An LRU cache of slowly loaded values, within a memory budget. */
export class LruCache<T> {
  /** In the order of last use, most recent last. */
  private readonly kept = new Map<string, Kept<T>>();

  constructor(private readonly options: LruOptions<T>) {}

  /** The ids of the entries, most recently used first. */
  ids(): string[] {
    return [...this.kept.keys()].reverse();
  }

  /** Whether it is loaded, not only being loaded. */
  has(id: string): boolean {
    return this.kept.get(id)?.isLoaded === true;
  }

  /** Calls `use` with the value of the id, loading it first if necessary. A failed load is not cached. */
  async use<R>(id: string, use: (value: T) => Promise<R>): Promise<R> {
    const kept = this.taken(id) ?? (await this.loading(id));
    try {
      return await use(await kept.value);
    } finally {
      kept.users--;
      await this.makeRoom(0);
    }
  }

  /** The loaded value, for one more user. */
  private taken(id: string): Kept<T> | undefined {
    const kept = this.kept.get(id);
    if (kept === undefined) return undefined;
    this.kept.delete(id);
    this.kept.set(id, kept);
    kept.users++;
    return kept;
  }

  private async loading(id: string): Promise<Kept<T>> {
    const bytes = this.options.bytesOf(id);
    // Evicted entries are freed before the next one is loaded.
    await this.makeRoom(bytes);
    const there = this.taken(id);
    if (there !== undefined) return there;
    const kept: Kept<T> = { value: this.options.load(id), isLoaded: false, users: 1, bytes };
    this.kept.set(id, kept);
    kept.value.then(
      () => {
        kept.isLoaded = true;
      },
      () => this.kept.get(id) === kept && this.kept.delete(id),
    );
    return kept;
  }

  private async makeRoom(bytes: number): Promise<void> {
    while (bytes + this.bytes() > this.options.budget && !this.isOnlyOne(bytes)) {
      const idle = [...this.kept].find(([, { users }]) => users === 0);
      if (idle === undefined) return;
      await this.drop(idle[0]);
    }
  }

  /** Whether nothing else is cached or loading: a single entry stays, whatever its size. */
  private isOnlyOne(bytes: number): boolean {
    return bytes === 0 && this.kept.size === 1;
  }

  private bytes(): number {
    let sum = 0;
    for (const { bytes } of this.kept.values()) sum += bytes;
    return sum;
  }

  private async drop(id: string): Promise<void> {
    const kept = this.kept.get(id);
    this.kept.delete(id);
    const value = await kept?.value.catch(() => undefined);
    if (value !== undefined) await this.options.drop(value);
  }
}
