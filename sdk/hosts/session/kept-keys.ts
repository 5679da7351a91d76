import type { ProvingKey } from '../../api/index.js';
import type { ProgressListener } from '../../api/progress.js';
import { PippinError } from '../../base/errors.js';
import { SingleFlight } from './single-flight.js';

/** Where a key comes from. */
export interface KeySource<Key extends ProvingKey = ProvingKey> {
  /** Calls with the same id share the key. */
  readonly id: unknown;
  /** Bytes of its file, which count towards `maxKeyBytes`. Default 0. */
  readonly bytes?: number;
  /** What it counts instead once it is loaded. */
  readonly sizeOf?: (key: Key) => number;
  readonly load: (signal: AbortSignal, onProgress: ProgressListener) => Promise<Key>;
}

/** The call that needs a key. */
export interface KeyCall {
  readonly signal?: AbortSignal;
  readonly onProgress?: ProgressListener;
}

export interface KeyLimits {
  readonly maxKeys: number;
  /**
   * The most bytes that the files of loaded keys have together. The last key stays, whatever its size. Default: no
   * limit.
   */
  readonly maxKeyBytes?: number;
}

interface Entry {
  bytes: number;
  readonly loading: SingleFlight<ProvingKey>;
  /** The calls that use it at present. */
  users: number;
  /** Who holds it, and how often. */
  readonly holders: Map<object, number>;
  /** Whether its last holder has released it. It is disposed of when no call uses it any more. */
  isReleased: boolean;
}

/**
 * The loaded keys of a prover. A key is loaded once for all calls, and the load is aborted when all of them have been
 * aborted. The least recently used keys (LRU) are disposed of beyond the limits; a key in use is not.
 */
export class KeptKeys {
  /** In the order of their last use. */
  private readonly entries = new Map<unknown, Entry>();

  constructor(private readonly limits: KeyLimits) {}

  /** Whether a key is loaded, or being loaded. */
  has(id: unknown): boolean {
    return this.entries.has(id);
  }

  /** Calls `work` with a key, which is loaded if it is not. The progress of both is one scale. */
  use<T, Key extends ProvingKey>(
    source: KeySource<Key>,
    { signal, onProgress = () => undefined }: KeyCall,
    work: (key: Key, onProgress: ProgressListener) => Promise<T>,
  ): Promise<T> {
    return this.during(source, async ({ loading }) => {
      const listeners = loadThenProve(loading.hasEnded, onProgress);
      // What a source of the same id has loaded.
      const key = (await loading.join(signal, listeners.loading)) as Key;
      return this.withMemory(() => work(key, listeners.proving));
    });
  }

  /** Loads a key, and counts the holder in until it releases the key. */
  hold(source: KeySource, { signal, onProgress }: KeyCall, holder: object): Promise<ProvingKey> {
    return this.during(source, async (entry) => {
      const key = await entry.loading.join(signal, onProgress);
      entry.holders.set(holder, (entry.holders.get(holder) ?? 0) + 1);
      entry.isReleased = false;
      return key;
    });
  }

  /** Takes back one `hold`. A key that nobody holds any more is disposed of. */
  release(id: unknown, holder: object): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    const held = entry.holders.get(holder) ?? 0;
    if (held > 1) entry.holders.set(holder, held - 1);
    else entry.holders.delete(holder);
    entry.isReleased = entry.holders.size === 0;
    this.disposeIfReleased(id, entry);
  }

  /** Forgets a holder that has gone. Its keys stay until others need the room, because it may come back. */
  forget(holder: object): void {
    for (const { holders } of this.entries.values()) holders.delete(holder);
  }

  /** Disposes of all keys, and of those in use when their calls have ended. */
  async clear(): Promise<void> {
    const disposals: Promise<void>[] = [];
    for (const [id, entry] of this.entries) {
      entry.isReleased = true;
      if (entry.users === 0) disposals.push(this.dispose(id, entry));
    }
    await Promise.all(disposals);
  }

  private async during<T, Key extends ProvingKey>(
    source: KeySource<Key>,
    work: (entry: Entry) => Promise<T>,
  ): Promise<T> {
    const { id } = source;
    const entry = this.entryOf(source);
    entry.users++;
    try {
      return await work(entry);
    } finally {
      entry.users--;
      this.disposeIfReleased(id, entry);
      // Concurrent calls may have loaded more than there is room for.
      const { maxKeys, maxKeyBytes = Number.POSITIVE_INFINITY } = this.limits;
      void this.trim(maxKeys, maxKeyBytes, 1);
    }
  }

  private entryOf<Key extends ProvingKey>(source: KeySource<Key>): Entry {
    const { id } = source;
    let entry = this.entries.get(id);
    if (entry === undefined || entry.loading.isAborted) entry = this.load(source);
    this.entries.delete(id);
    this.entries.set(id, entry);
    return entry;
  }

  private load<Key extends ProvingKey>({ id, bytes = 0, sizeOf, load }: KeySource<Key>): Entry {
    const { maxKeys, maxKeyBytes = Number.POSITIVE_INFINITY } = this.limits;
    const loading = new SingleFlight(async (signal, onProgress) => {
      await this.trim(maxKeys - 1, maxKeyBytes - bytes);
      const key = await this.withMemory(() => load(signal, onProgress));
      if (sizeOf !== undefined) entry.bytes = sizeOf(key);
      return key;
    }, false);
    const entry: Entry = { bytes, loading, users: 0, holders: new Map(), isReleased: false };
    // The next call retries.
    loading.outcome.catch(() => {
      if (this.entries.get(id) === entry) this.entries.delete(id);
    });
    return entry;
  }

  /** Runs `work`, and if memory does not suffice, retries it once without the unused keys. */
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
   * Disposes of keys that nobody uses, until at most so many with so many bytes are left. Gives how many it disposed
   * of.
   *
   * @param least how many stay whatever their size.
   */
  private async trim(most: number, mostBytes: number, least = 0): Promise<number> {
    let count = this.entries.size;
    let bytes = 0;
    for (const entry of this.entries.values()) bytes += entry.bytes;
    const disposals: Promise<void>[] = [];
    for (const [id, entry] of this.entries) {
      if (count <= least || (count <= most && bytes <= mostBytes)) break;
      if (entry.users > 0) continue;
      count--;
      bytes -= entry.bytes;
      disposals.push(this.dispose(id, entry));
    }
    await Promise.all(disposals);
    return disposals.length;
  }

  private disposeIfReleased(id: unknown, entry: Entry): void {
    if (entry.isReleased && entry.users === 0) void this.dispose(id, entry);
  }

  private async dispose(id: unknown, entry: Entry): Promise<void> {
    if (this.entries.get(id) === entry) this.entries.delete(id);
    await entry.loading.outcome.then((key) => key.dispose()).catch(() => undefined);
  }
}

/**
 * The share of loading in the progress of a call that loads a key and proves with it. A first load downloads and
 * prepares, and often takes longer than the proof; one from the cache takes less.
 */
const LOAD_SHARE = 0.4;

/**
 * Listeners for loading a key and for proving with it, whose progress is one scale that never falls: the `done` of
 * loading goes up to a share of the total, and proving goes on from there. If the key is loaded already, proving takes
 * the whole scale.
 *
 * @param tell called with every event of both, in their order.
 */
export function loadThenProve(
  isLoaded: boolean,
  tell: ProgressListener,
): { readonly loading: ProgressListener; readonly proving: ProgressListener } {
  const share = isLoaded ? 0 : LOAD_SHARE;
  let reached = 0;
  const within =
    (from: number, to: number): ProgressListener =>
    (event) => {
      if (event.kind !== 'progress') {
        tell(event);
        return;
      }
      const { done, total } = event;
      reached = Math.max(reached, to - (to - from) * (1 - done / total));
      tell({ ...event, done: reached * total });
    };
  return { loading: within(0, share), proving: within(share, 1) };
}
