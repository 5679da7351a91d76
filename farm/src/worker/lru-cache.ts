/** An entry of the cache. */
interface Kept<T> {
  readonly value: Promise<T>;
  isLoaded: boolean;
  /** Its users at the moment. What is in use is not dropped. */
  users: number;
  bytes: number;
}

/** What a cache is made of. */
interface LruOptions<T> {
  /** The most bytes of what is kept. What is in use may exceed it, and so may a single one that is larger. */
  readonly budget: number;
  /** How many bytes it takes, as far as it is known before it is loaded. */
  readonly bytesOf: (id: string) => number;
  readonly load: (id: string) => Promise<T>;
  readonly drop: (value: T) => Promise<void>;
}

/** An LRU cache of what takes long to load, within a budget of memory. */
export class LruCache<T> {
  /** In the order of their last use, the latest last. */
  private readonly kept = new Map<string, Kept<T>>();

  constructor(private readonly options: LruOptions<T>) {}

  /** The ids of what is kept, the one used last first. */
  ids(): string[] {
    return [...this.kept.keys()].reverse();
  }

  /** Whether it is there, and not only being loaded. */
  has(id: string): boolean {
    return this.kept.get(id)?.isLoaded === true;
  }

  /**
   * Calls `use` with what belongs to the id, which is loaded first if it is not there. What cannot be loaded is not
   * kept.
   */
  async use<R>(id: string, use: (value: T) => Promise<R>): Promise<R> {
    const kept = this.taken(id) ?? (await this.loading(id));
    try {
      return await use(await kept.value);
    } finally {
      kept.users--;
      await this.makeRoom(0);
    }
  }

  /** What is there, for one more user. */
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
    // What is dropped has left the memory before the next one comes.
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

  /** Whether nothing else is kept or about to be: a single one stays, whatever its size. */
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
