import { equalBytes } from '../base/bytes.js';
import { asPippinError, PippinError } from '../base/errors.js';
import { freeMemory } from '../base/free-memory.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import { type PrepareRequest, repreparePoints } from '../executors/workers/pool/prepare.js';
import { RestorableBytes } from '../executors/workers/pool/restorable-bytes.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import type { CacheRecord } from '../files/cache/prepared-cache.js';
import type { FallibleExecutor } from '../recovery/attempt.js';
import type { LoadedBases } from './loaded-bases.js';
import type { Precomputation } from './precompute.js';
import type { PreparedBases } from './prepared.js';
import type { BasesCall, RecordCache } from './record-cache.js';

/** Vectors of bases that were loaded together, and how they are prepared from their source. */
export interface RenewableVectors<Name extends string> {
  readonly plan: string;
  readonly source: LoadedSource;
  readonly bases: Readonly<Record<Name, LoadedBases>>;
  readonly requests: Readonly<Record<Name, PrepareRequest>>;
  readonly precomputation: Precomputation | undefined;
  prepare(call: BasesCall): Promise<Readonly<Record<Name, PreparedBases>>>;
  toRecord(prepared: Readonly<Record<Name, PreparedBases>>): CacheRecord;
}

/** What is used of the engine when points were wrong. */
export interface PointsContext {
  readonly pool: KernelPool;
  readonly cache: RecordCache;
  readonly gpu: FallibleExecutor;
}

/**
 * What is done when a result was wrong and points came from the cache: they are compared with their source, and
 * prepared from it.
 */
export class Renewal<Name extends string> {
  /** The last renewal, and whether what the cache had was altered. */
  private renewing = Promise.resolve(false);

  /** @param keep writes points that were prepared to the cache. */
  constructor(
    private readonly context: PointsContext,
    private readonly loaded: RenewableVectors<Name>,
    private readonly keep: (prepared: Readonly<Record<Name, PreparedBases>>) => void,
  ) {}

  /**
   * Whether what the cache had was altered, where the workers have a right result. If the points cannot be read any
   * more, nothing is known to have been altered; a caller who requires the GPU, and gets an error in any case, gets
   * this one.
   */
  async wereAltered(failure: PippinError, call: BasesCall): Promise<boolean> {
    if (this.context.gpu.isRequired && failure.code !== 'PROOF_INVALID') return this.renewAfter(failure, call);
    try {
      return await this.renew(call);
    } catch (error) {
      const { code } = asPippinError(error);
      if (code === 'ABORTED' || code === 'DISPOSED') throw error;
      return false;
    }
  }

  /**
   * Renews the points; see `renew`. If they cannot be read any more, the error is the one that the wrong result gave,
   * with a hint.
   */
  async renewAfter(failure: PippinError, call: BasesCall): Promise<boolean> {
    try {
      return await this.renew(call);
    } catch (error) {
      const cause = asPippinError(error);
      if (cause.code === 'ABORTED' || cause.code === 'DISPOSED') throw cause;
      throw new PippinError(failure.code, failure.message, {
        cause,
        hint: 'the points came from the cache and may have been changed there; their record was deleted: load them again',
      });
    }
  }

  /**
   * Calls run one after another; later ones find the points renewed. Gives whether what the cache had may have been
   * altered.
   */
  private renew(call: BasesCall): Promise<boolean> {
    const before = this.renewing.catch(() => false);
    this.renewing = before.then((wereAltered) => (this.areCached ? this.prepareAnew(call) : wereAltered));
    return this.renewing;
  }

  private get areCached(): boolean {
    return Object.values<LoadedBases>(this.loaded.bases).some(({ isFromCache }) => isFromCache);
  }

  private async prepareAnew(call: BasesCall): Promise<boolean> {
    const { cache, pool } = this.context;
    const { source, bases, requests, precomputation } = this.loaded;
    const prepared = await this.preparedBeforeDrop(call);
    const areSame =
      (await this.isSameRecord(call, prepared)) && (await precomputation?.cachedAreThoseOf(call, prepared)) !== false;
    await precomputation?.restart();
    await cache.drop(source);
    const names = Object.keys(bases) as Name[];
    await Promise.all(
      names.map((name) => {
        const { points, ...outline } = prepared[name];
        return bases[name].renew(outline, new RestorableBytes(points, repreparePoints(pool, requests[name])));
      }),
    );
    await precomputation?.load(call);
    this.keep(prepared);
    return !areSame;
  }

  /**
   * The points of the source. If it cannot be read any more, its records are deleted: nobody can tell whether they are
   * right.
   */
  private async preparedBeforeDrop(call: BasesCall): Promise<Readonly<Record<Name, PreparedBases>>> {
    try {
      return await this.loaded.prepare(call);
    } catch (error) {
      await this.context.cache.drop(this.loaded.source);
      throw error;
    }
  }

  /** Whether the record in the cache still belongs to these points, where they came from there. */
  private async isSameRecord(call: BasesCall, prepared: Readonly<Record<Name, PreparedBases>>): Promise<boolean> {
    const { bases, plan, source, toRecord } = this.loaded;
    if (!Object.values<LoadedBases>(bases).some(({ outline }) => outline.fromCache)) return true;
    const record = await this.context.cache.load(call, plan, source, async (found) => found);
    if (record === undefined) return false;
    const isSame = areSameRecords(record, toRecord(prepared));
    freeMemory(...Object.values(record.arrays));
    return isSame;
  }
}

function areSameRecords(one: CacheRecord, other: CacheRecord): boolean {
  const names = Object.keys(other.arrays);
  return (
    JSON.stringify(one.facts) === JSON.stringify(other.facts) &&
    Object.keys(one.arrays).length === names.length &&
    names.every((name) => {
      const array = one.arrays[name];
      return array !== undefined && equalBytes(array, other.arrays[name]!);
    })
  );
}
