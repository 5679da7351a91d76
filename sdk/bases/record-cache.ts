import type { Executor, Phase, ProofPart } from '../api/progress.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import type { CacheRecord } from '../files/cache/prepared-cache.js';
import type { MsmObserver } from './backend.js';

/** What is used of a call where bases are prepared, precomputed or renewed for it. */
export interface BasesCall {
  readonly signal: AbortSignal;
  /** Runs a piece of work and puts it on the call's timeline. */
  span<T>(phase: Phase, executor: Executor, work: () => Promise<T>, part?: ProofPart): Promise<T>;
  /**
   * Adds work of the given weight to the call's progress, and returns the function by which to report the fraction that
   * is done.
   */
  meter(phase: Phase, weight: number): (fraction: number) => void;
  notice: MsmObserver['notice'];
}

/**
 * A cache between visits. A record is found by the contents of the source that it was made from, and by the plan by
 * which it was made: the protocol and the curve.
 */
export interface RecordCache {
  /**
   * What `read` makes of the record; undefined if there is none. If the record does not fit its source, `read` returns
   * a few words that say why: then the caller gets the notice `CACHE_DAMAGED`, and the result is undefined. The source
   * is hashed only if there may be a record.
   */
  load<T extends object>(
    call: BasesCall,
    plan: string,
    source: LoadedSource,
    read: (record: CacheRecord) => Promise<T | string>,
  ): Promise<T | undefined>;
  /**
   * Begins to save a record, and goes on after the call that began it. Fulfilled when the record's arrays are needed no
   * more, whether it was saved or not. The notice `CACHE_UNAVAILABLE` tells of a storage that fails.
   */
  save(plan: string, source: LoadedSource, record: CacheRecord): Promise<void>;
  /** Deletes all records of a source, of every plan. What is being written is waited for. */
  drop(source: LoadedSource): Promise<void>;
}
