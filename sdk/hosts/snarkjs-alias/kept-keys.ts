import type { Groth16Key } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';

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

  /** Whether there is a key of this identity, or one that is being loaded. */
  has(identity: string): boolean {
    return this.keys.has(identity);
  }

  /** Calls `work` with the key, which is loaded if it is not known, when others have made room for it. A key that is in use is not disposed of. */
  async use<T>(
    identity: string,
    bytes: number,
    load: () => Promise<Groth16Key>,
    work: (key: Groth16Key) => Promise<T>,
  ): Promise<T> {
    const key = this.keys.get(identity) ?? { loading: this.loadInto(bytes, load), bytes, users: 0 };
    this.keys.delete(identity);
    this.keys.set(identity, key);
    key.users++;
    try {
      const loaded = await this.loaded(identity, key);
      return await this.withMemory(() => work(loaded));
    } finally {
      key.users--;
      // Calls at the same time may have loaded more than there is room for.
      void this.trim(this.maxKeys, this.maxBytes, 1);
    }
  }

  private async loadInto(bytes: number, load: () => Promise<Groth16Key>): Promise<Groth16Key> {
    await this.trim(this.maxKeys - 1, this.maxBytes - bytes);
    return this.withMemory(load);
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

  /** Does something. If memory does not suffice, it is tried once more without the keys that nobody uses. */
  private async withMemory<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PippinError) || error.code !== 'OUT_OF_MEMORY') throw error;
      if ((await this.trim(0, 0)) === 0) throw error;
      return work();
    }
  }

  /**
   * Disposes of keys that nobody uses, until at most so many with so many bytes are left. Gives how many it disposed of.
   *
   * @param least how many stay whatever their size.
   */
  private async trim(most: number, mostBytes: number, least = 0): Promise<number> {
    let count = this.keys.size;
    let bytes = [...this.keys.values()].reduce((sum, key) => sum + key.bytes, 0);
    const ending: Promise<void>[] = [];
    for (const [identity, key] of this.keys) {
      if (count <= least || (count <= most && bytes <= mostBytes)) break;
      if (key.users > 0) continue;
      this.keys.delete(identity);
      count--;
      bytes -= key.bytes;
      ending.push(key.loading.then((loaded) => loaded.dispose()).catch(() => undefined));
    }
    await Promise.all(ending);
    return ending.length;
  }
}
