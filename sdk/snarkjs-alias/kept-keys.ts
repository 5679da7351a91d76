import type { Groth16Key } from '../api.js';

interface KeptKey {
  readonly loading: Promise<Groth16Key>;
  /** Bytes of its file. */
  readonly bytes: number;
  users: number;
}

/**
 * Loaded keys by an identity of their contents. Those that were not used for the longest time are disposed of when there are more than so many,
 * or when their files have more than so many bytes together; the last one is kept whatever its size.
 */
export class KeptKeys {
  /** The one that was used last comes last. */
  private readonly keys = new Map<string, KeptKey>();

  constructor(
    private readonly maxKeys: number,
    private readonly maxBytes: number,
  ) {}

  /** Calls `work` with the key, which is loaded if it is not known. A key that is in use is not disposed of. */
  async use<T>(
    identity: string,
    bytes: number,
    load: () => Promise<Groth16Key>,
    work: (key: Groth16Key) => Promise<T>,
  ): Promise<T> {
    const key = this.keys.get(identity) ?? { loading: load(), bytes, users: 0 };
    this.keys.delete(identity);
    this.keys.set(identity, key);
    key.users++;
    try {
      return await work(await this.loaded(identity, key));
    } finally {
      key.users--;
      this.trim();
    }
  }

  /** The key once it is loaded. One that cannot be loaded is forgotten, so that the next call tries again. */
  private async loaded(identity: string, key: KeptKey): Promise<Groth16Key> {
    try {
      return await key.loading;
    } catch (error) {
      if (this.keys.get(identity) === key) this.keys.delete(identity);
      throw error;
    }
  }

  private trim(): void {
    let count = this.keys.size;
    let bytes = [...this.keys.values()].reduce((sum, key) => sum + key.bytes, 0);
    for (const [identity, key] of this.keys) {
      if (count <= 1 || (count <= this.maxKeys && bytes <= this.maxBytes)) return;
      if (key.users > 0) continue;
      this.keys.delete(identity);
      count--;
      bytes -= key.bytes;
      void key.loading.then((loaded) => loaded.dispose()).catch(() => undefined);
    }
  }
}
