import { type CacheRecord, PreparedCache } from '../cache/prepared-cache.js';
import { recordKey } from '../cache/record-key.js';
import { canHash } from '../cache/sha256.js';
import { hashSource } from '../cache/source-hash.js';
import { asPippinError } from '../errors.js';
import { type ByteSource, slicesOf } from '../io/byte-source.js';
import type { NoticeCode } from '../progress.js';
import type { ProofCall, RecordCache } from '../proofs/proof-system.js';
import type { EngineConfig } from './engine-api.js';
import type { EnginePlatform } from './platform.js';

/**
 * The cache of prepared bases. A record is found by the hash of the file that its bases were made from.
 *
 * A record's hashes detect accidents, not attackers: whoever can write into this origin's storage (or this user's folder) can write hashes
 * that fit. The file is read and hashed at every load anyway, so everything that it contains is taken from it, and `preparedFromRecord`
 * compares the dropped points with it. Only the prepared points come from the record.
 *
 * False prepared points cannot make a proof that verifies reveal anything. alpha, beta, delta and the blinding never come from a record, so A
 * and B are uniformly random, and they determine the only C that verifies. This holds only while the caller leaves verification on.
 */
export class BasesCache implements RecordCache {
  private constructor(
    private cache: PreparedCache | undefined,
    private readonly openKind: 'indexeddb' | 'folder',
  ) {}

  /** Opens the platform's store. If that fails, a notice says so, and there is no cache. */
  static async open(
    platform: EnginePlatform,
    config: EngineConfig['cache'],
    notice: (code: NoticeCode, message: string) => void,
  ): Promise<BasesCache> {
    if (config === false) return new BasesCache(undefined, platform.cacheKind);
    try {
      if (!canHash()) throw new Error('the page is not in a secure context');
      const store = await platform.openStore(typeof config === 'object' ? config.directory : undefined);
      return new BasesCache(new PreparedCache(store), platform.cacheKind);
    } catch (error) {
      notice('CACHE_UNAVAILABLE', `no cache (${reason(error)}); everything is prepared anew`);
      return new BasesCache(undefined, platform.cacheKind);
    }
  }

  get kind(): 'indexeddb' | 'folder' | 'none' {
    return this.cache === undefined ? 'none' : this.openKind;
  }

  /** See `RecordCache`. */
  async key(call: ProofCall, plan: string, source: ByteSource): Promise<string> {
    if (this.cache === undefined) return '';
    const hash = await call.span('hash', 'host', () => hashSource(slicesOf(source), { signal: call.signal }));
    return hash === undefined ? '' : recordKey(hash, plan);
  }

  /** See `RecordCache`. */
  async load<T extends object>(
    call: ProofCall,
    key: string,
    read: (record: CacheRecord) => Promise<T | string>,
  ): Promise<T | undefined> {
    const { cache } = this;
    if (cache === undefined) return undefined;
    return call.span('cache-read', 'host', async () => {
      const outcome = await cache.load(key, { signal: call.signal });
      if (outcome.kind === 'unavailable') this.giveUp(call, outcome.cause);
      if (outcome.kind === 'unavailable' || outcome.kind === 'miss') return undefined;
      const found = outcome.kind === 'hit' ? await read(outcome.record) : outcome.what;
      if (typeof found !== 'string') return found;
      call.notice('CACHE_DAMAGED', `the cache is damaged (${found}); preparing again`);
      return undefined;
    });
  }

  async save(call: ProofCall, key: string, record: CacheRecord): Promise<void> {
    const { cache } = this;
    if (cache === undefined) return;
    const outcome = await call.span('cache-write', 'host', () => cache.save(key, record, { signal: call.signal }));
    if (outcome.kind === 'unavailable') this.giveUp(call, outcome.cause);
  }

  /** Deletes everything. `IO_FAILED` when the storage cannot delete it. */
  async clear(): Promise<void> {
    const outcome = await this.cache?.clear();
    if (outcome?.kind === 'unavailable') throw asPippinError(outcome.cause, 'IO_FAILED', 'expected to clear the cache');
  }

  /** Stops using a store that has failed, for example because it is full or forbidden. */
  private giveUp(call: ProofCall, cause: unknown): void {
    this.cache = undefined;
    call.notice('CACHE_UNAVAILABLE', `the cache failed (${reason(cause)}); going on without it`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
