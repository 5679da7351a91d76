import type { PerformanceMap } from '../api/index.js';
import type { NoticeCode } from '../api/progress.js';
import { withTimeout } from '../base/abort.js';
import { asPippinError } from '../base/errors.js';
import { freeMemory } from '../base/free-memory.js';
import { PendingWork } from '../base/pending-work.js';
import type { BasesCall, RecordCache } from '../bases/record-cache.js';
import type { ByteSource } from '../files/byte-source.js';
import { answeringStore, type ClosableStore, closableStore } from '../files/cache/chunk-store.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import {
  type CacheRecord,
  type KeptFile,
  type LoadOutcome,
  PreparedCache,
  type ReadFile,
} from '../files/cache/prepared-cache.js';
import { recordKey, recordPrefix } from '../files/cache/record-key.js';
import { canHash } from '../files/cache/sha256.js';
import type { EngineConfig } from './engine-api.js';
import type { EnginePlatform } from './platform.js';
import { MAP_FORMAT } from './tune/performance-map.js';

/** The key of the performance map. A map of another format stays where it is until the cache is cleared. */
const MAP_KEY = `map/${MAP_FORMAT}`;

/** Milliseconds that `close` waits for pending reads. */
const LAST_READS_MS = 1000;

/** A store whose operations are known, and what ends all waiting for them. */
interface OpenedStore {
  readonly closable: ClosableStore;
  readonly waiting: AbortController;
}

/**
 * The cache of prepared bases, of files that were fetched, and of the performance map. A record of bases is found by
 * the hash of the file that they were made from; `kept-source.ts` says when a file is taken from here, and
 * docs/security.md what that trusts.
 *
 * A record's hashes detect accidents, not attackers: whoever can write into this origin's storage (or this user's
 * folder) can write hashes that fit. A record is used only for a file that has been read and hashed, so everything else
 * is taken from the file, and `preparedFromRecord` compares the dropped points with it. Only the prepared points come
 * from the record.
 *
 * False prepared points cannot make a proof that verifies reveal anything. alpha, beta, delta and the blinding never
 * come from a record, so A and B are uniformly random, and they determine the only C that verifies. This holds only
 * while the caller leaves verification on. `CachedPoints` does what follows from a proof that does not verify.
 */
export class BasesCache implements RecordCache {
  /** The pending writes. */
  private readonly writes = new PendingWork();
  /** Fires when everything is deleted that is in the cache now. */
  clearing = new AbortController();

  private constructor(
    private cache: PreparedCache | undefined,
    private readonly opened: OpenedStore | undefined,
    private readonly openKind: 'indexeddb' | 'folder',
    private readonly notice: (code: NoticeCode, message: string) => void,
    private readonly storageBudget = Number.POSITIVE_INFINITY,
  ) {}

  /** Opens the platform's store. If that fails, a notice says so, and there is no cache. */
  static async open(
    platform: EnginePlatform,
    { cache: config, storageBudget }: Pick<EngineConfig, 'cache' | 'storageBudget'>,
    notice: (code: NoticeCode, message: string) => void,
  ): Promise<BasesCache> {
    if (config === false) return new BasesCache(undefined, undefined, platform.cacheKind, notice);
    try {
      if (!canHash()) throw new Error('the page is not in a secure context');
      const directory = typeof config === 'object' ? config.directory : undefined;
      const waiting = new AbortController();
      const closable = platform.openStore(directory).then(closableStore);
      const store = await answeringStore(() => closable, waiting.signal);
      const opened = { closable: await closable, waiting };
      const cache = new PreparedCache(store, storageBudget);
      return new BasesCache(cache, opened, platform.cacheKind, notice, storageBudget);
    } catch (error) {
      notice('CACHE_UNAVAILABLE', `no cache (${reason(error)}); everything is prepared anew`);
      return new BasesCache(undefined, undefined, platform.cacheKind, notice);
    }
  }

  get kind(): 'indexeddb' | 'folder' | 'none' {
    return this.cache === undefined ? 'none' : this.openKind;
  }

  /** See `RecordCache`. */
  async load<T extends object>(
    call: BasesCall,
    plan: string,
    source: LoadedSource,
    read: (record: CacheRecord) => Promise<T | string>,
  ): Promise<T | undefined> {
    const { cache } = this;
    if (cache === undefined) return undefined;
    return call.span('cache-read', 'host', async () => {
      const outcome = await find(cache, call, recordPrefix(plan, source.size), source);
      if (outcome.kind === 'unavailable') this.giveUp(call.notice.bind(call), outcome.cause);
      if (outcome.kind === 'unavailable' || outcome.kind === 'miss') return undefined;
      const found = outcome.kind === 'hit' ? await read(outcome.record) : outcome.what;
      if (typeof found !== 'string') return found;
      call.notice('CACHE_DAMAGED', `the cache is damaged (${found}); preparing again`);
      return undefined;
    });
  }

  /** See `RecordCache`. */
  save(plan: string, source: LoadedSource, record: CacheRecord): Promise<void> {
    const { cache, writes } = this;
    return cache === undefined ? Promise.resolve() : writes.note(this.write(cache, plan, source, record));
  }

  /** See `RecordCache`. */
  async drop(source: LoadedSource): Promise<void> {
    // What is being written may have been made from the same points.
    await this.settled();
    // The file itself may have been changed in the cache as well.
    for (const record of source.records) await this.dropFile(record);
    const hash = source.knownHash;
    if (hash === undefined) return;
    const outcome = await this.cache?.removeOf(hash);
    if (outcome?.kind === 'unavailable') this.giveUp(this.notice, outcome.cause);
  }

  /** The file that is kept under a key; undefined if there is none, or none that can be used. */
  async findFile<Facts>(call: BasesCall, key: string): Promise<KeptFile<Facts> | undefined> {
    const outcome = await this.cache?.findFile<Facts>(key);
    if (outcome?.kind === 'hit') return outcome.file;
    if (outcome?.kind === 'unavailable') this.giveUp(call.notice.bind(call), outcome.cause);
    if (outcome?.kind === 'damaged') this.tellDamage(call, outcome.what);
    return undefined;
  }

  /** The bytes of a file that was found, and the hash of `hashSource`; undefined if they are damaged. */
  async readFile(call: BasesCall, file: KeptFile): Promise<ReadFile | undefined> {
    const read = await call.span('cache-read', 'host', () => file.read({ signal: call.signal }));
    if (typeof read !== 'string') return read;
    this.tellDamage(call, read);
    return undefined;
  }

  /**
   * Begins to keep a file, after everything that is being written now. It must fit the storage budget so many times
   * (`room`), so that it does not take the place of what was prepared from it. A storage that has no room for it is
   * used for other records all the same.
   */
  keepFile(key: string, facts: unknown, source: ByteSource, room: number): void {
    const { cache, writes, notice } = this;
    if (cache === undefined) return;
    const unkept = (why: string): void =>
      notice('CACHE_UNAVAILABLE', `${source.size} bytes of a file are not cached (${why})`);
    const keep = async (): Promise<void> => {
      if (!this.hasRoom(source.size, room)) {
        unkept('storageBudget is too small for the file and for what is prepared from it');
        return;
      }
      const outcome = await cache.saveFile(key, facts, source);
      if (outcome.kind === 'unavailable') unkept(reason(outcome.cause));
    };
    // It rejects with `ABORTED` where the end of the file, which nobody reads, was still on its way.
    writes.note(writes.ended().then(keep)).catch(() => undefined);
  }

  /** Runs a write, which `settled` and `close` wait for. Rejects with what it rejects with. */
  writing<T>(write: (cache: PreparedCache) => Promise<T>): Promise<T | undefined> {
    const { cache, writes } = this;
    return cache === undefined ? Promise.resolve(undefined) : writes.note(write(cache));
  }

  /** Whether the storage budget has so many times the room for a file. */
  hasRoom(bytes: number, times: number): boolean {
    return this.cache !== undefined && bytes * times <= this.storageBudget;
  }

  /** Forgets a file. */
  async dropFile(key: string): Promise<void> {
    await this.cache?.remove(key);
  }

  /** The JSON of the performance map that `saveMap` kept, unchecked; undefined if there is none. */
  async loadMap(): Promise<unknown> {
    const outcome = await this.cache?.load(MAP_KEY);
    return outcome?.kind === 'hit' ? outcome.record.facts : undefined;
  }

  /** Keeps a performance map in place of the one before. */
  async saveMap(map: PerformanceMap): Promise<void> {
    const outcome = await this.cache?.save(MAP_KEY, { facts: map, arrays: {} });
    if (outcome?.kind === 'unavailable') this.giveUp(this.notice, outcome.cause);
  }

  /** Fulfilled when all pending writes have settled. */
  async settled(): Promise<void> {
    await this.writes.ended();
  }

  /**
   * Closes the cache when all writes have ended. Later reads reject with `ABORTED`, and so do reads that are still
   * pending after a second.
   */
  async close(): Promise<void> {
    while (this.writes.size > 0) await this.settled();
    this.cache = undefined;
    const { opened } = this;
    if (opened === undefined) return;
    await withTimeout(LAST_READS_MS, 'the storage', () => opened.closable.close()).catch(() => undefined);
    opened.waiting.abort();
  }

  /** Deletes everything. `IO_FAILED` when the storage cannot delete it. */
  async clear(): Promise<void> {
    this.clearing.abort();
    this.clearing = new AbortController();
    await this.settled();
    const outcome = await this.cache?.clear();
    if (outcome?.kind === 'unavailable') throw asPippinError(outcome.cause, 'IO_FAILED', 'expected to clear the cache');
  }

  private async write(cache: PreparedCache, plan: string, source: LoadedSource, record: CacheRecord): Promise<void> {
    let hash: string | undefined;
    try {
      hash = await source.hash();
    } catch {
      // A file that can no longer be read, perhaps because it was changed, is none to keep a record of.
    }
    if (hash === undefined) return;
    const key = recordKey(recordPrefix(plan, source.size), hash);
    const outcome = await cache.save(key, { ...record, name: source.source.name });
    if (outcome.kind === 'unavailable') this.giveUp(this.notice, outcome.cause);
    if (outcome.kind === 'too large') {
      this.notice('CACHE_UNAVAILABLE', `${outcome.bytes} bytes are not cached, because storageBudget allows fewer`);
    }
  }

  private tellDamage(call: BasesCall, what: string): void {
    call.notice('CACHE_DAMAGED', `a file in the cache is damaged (${what}); fetching it again`);
  }

  /** Stops using a store that has failed, for example because it is full or forbidden. */
  private giveUp(notice: (code: NoticeCode, message: string) => void, cause: unknown): void {
    this.cache = undefined;
    notice('CACHE_UNAVAILABLE', `the cache failed (${reason(cause)}); going on without it`);
  }
}

/**
 * The record of a source. Where its hash is not known yet, a record of the same plan and size is read while the source
 * is hashed: nearly always it is the right one. Without such a record nothing is hashed.
 */
async function find(cache: PreparedCache, call: BasesCall, prefix: string, source: LoadedSource): Promise<LoadOutcome> {
  const { signal } = call;
  if (source.knownHash !== undefined) return cache.load(recordKey(prefix, source.knownHash), { signal });
  const listed = await cache.list(prefix);
  if (listed.kind === 'unavailable') return listed;
  const [likely] = listed.keys;
  if (likely === undefined) return { kind: 'miss' };
  const [hash, outcome] = await Promise.all([
    call.span('hash', 'host', () => source.hash(signal, call.meter('hash', 1))),
    cache.load(likely, { signal }),
  ]);
  if (hash === undefined) return { kind: 'miss' };
  const key = recordKey(prefix, hash);
  if (key === likely) return outcome;
  if (outcome.kind === 'hit') freeMemory(...Object.values(outcome.record.arrays));
  return cache.load(key, { signal });
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message || error.name;
  // A browser's storage and a folder; the browser's error may have no message.
  const isFull = error.name === 'QuotaExceededError' || (error as NodeJS.ErrnoException).code === 'ENOSPC';
  return isFull ? `the storage is full: ${text}` : text;
}
