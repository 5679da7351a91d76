import type { LoadedSource } from '../cache/loaded-source.js';
import type { CacheRecord } from '../cache/prepared-cache.js';
import { type PrepareRequest, repreparePoints } from '../cpu/pool/prepare.js';
import { RestorableBytes } from '../cpu/pool/restorable-bytes.js';
import { asPippinError, PippinError } from '../errors.js';
import { equalBytes } from '../field/bytes.js';
import type { LoadedBases } from '../msm/loaded-bases.js';
import type { PreparedBases } from '../msm/prepared.js';
import { freeMemory } from '../transport/free-memory.js';
import type { Growth, ProofCall, ProofContext } from './proof-system.js';

/** Vectors of bases that were loaded together, and how they are prepared from their source. */
export interface RenewableVectors<Name extends string> {
  readonly plan: string;
  readonly source: LoadedSource;
  readonly bases: Readonly<Record<Name, LoadedBases>>;
  readonly requests: Readonly<Record<Name, PrepareRequest>>;
  readonly growth: Growth | undefined;
  prepare(call: ProofCall): Promise<Readonly<Record<Name, PreparedBases>>>;
  toRecord(prepared: Readonly<Record<Name, PreparedBases>>): CacheRecord;
}

/**
 * Loaded points that may have come from the cache, where any script of the origin can change them and write hashes that fit. Nothing shows that
 * but a wrong result. Then they are prepared from their source.
 */
export class CachedPoints<Name extends string> {
  /** The last renewal, and whether what the cache had was altered. */
  private renewing = Promise.resolve(false);

  /** @param fromCache whether the points came from the cache. */
  constructor(
    private readonly context: Pick<ProofContext, 'pool' | 'cache'>,
    private readonly loaded: RenewableVectors<Name>,
    private fromCache: boolean,
  ) {}

  /**
   * What `work` makes with the points. If its result is wrong, and points or multiples came from the cache, all records of their source are
   * deleted, the points are prepared anew, and the work is done once more. If its result is right then, the notice `CACHE_DAMAGED` tells it. A
   * GPU that computes wrong with multiples from the cache looks the same, and is told so as well; with other points it is told from altered ones,
   * because these are compared.
   *
   * @param work with true it uses the workers alone, so that no fault of the GPU counts as one of the points.
   */
  async use<T>(call: ProofCall, work: (onWorkers: boolean) => Promise<T>): Promise<T> {
    const wereCached = this.areCached;
    try {
      return await work(false);
    } catch (error) {
      // Idle time may have brought multiples from the cache meanwhile.
      const mayBeAltered = wereCached || this.areCached;
      if (!mayBeAltered || !isWrongResult(error)) throw error;
      const workersCan = await workersCanAfter(error, work);
      const wereAltered = await this.renewAfter(error, call);
      // It was the GPU.
      if (workersCan && !wereAltered) throw error;
      const result = await work(true);
      call.notice(
        'CACHE_DAMAGED',
        'the cached points gave a wrong result, and those of the file give a right one; they were prepared again',
      );
      return result;
    }
  }

  /** Writes points that were prepared to the cache, unless they came from there. Frees them here when they are no longer needed for that. */
  keep(prepared: Readonly<Record<Name, PreparedBases>>): void {
    const { plan, source, bases, toRecord } = this.loaded;
    const saved = this.fromCache ? Promise.resolve() : this.context.cache.save(plan, source, toRecord(prepared));
    void saved.then(() => Promise.allSettled(Object.values<LoadedBases>(bases).map((each) => each.freePoints())));
  }

  private get areCached(): boolean {
    return this.fromCache || this.loaded.growth?.usesCache === true;
  }

  /** Renews the points; see `renew`. If they cannot be read any more, the error is the one that the wrong result gave, with a hint. */
  private async renewAfter(failure: PippinError, call: ProofCall): Promise<boolean> {
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

  /** One call after another; those that come later find the points renewed. Gives whether what the cache had may have been altered. */
  private renew(call: ProofCall): Promise<boolean> {
    const before = this.renewing.catch(() => false);
    this.renewing = before.then((wereAltered) => (this.areCached ? this.prepareAnew(call) : wereAltered));
    return this.renewing;
  }

  private async prepareAnew(call: ProofCall): Promise<boolean> {
    const { cache, pool } = this.context;
    const { plan, source, bases, requests, growth, toRecord } = this.loaded;
    // Multiples are not compared.
    const usedMultiples = growth?.usesCache === true;
    await growth?.restart();
    const record = this.fromCache ? await cache.load(call, plan, source, async (found) => found) : undefined;
    await cache.drop(source);
    const prepared = await this.loaded.prepare(call);
    const isSame = !this.fromCache || (record !== undefined && areSameRecords(record, toRecord(prepared)));
    if (record !== undefined) freeMemory(...Object.values(record.arrays));
    const names = Object.keys(bases) as Name[];
    await Promise.all(
      names.map((name) => {
        const { points, ...outline } = prepared[name];
        return bases[name].renew(outline, new RestorableBytes(points, repreparePoints(pool, requests[name])));
      }),
    );
    this.fromCache = false;
    await growth?.load(call);
    this.keep(prepared);
    return usedMultiples || !isSame;
  }
}

/** Whether an error is one that wrong points explain. */
function isWrongResult(error: unknown): error is PippinError {
  return error instanceof PippinError && (error.code === 'PROOF_INVALID' || error.code === 'RESULT_INVALID');
}

/** Whether the workers have a result with the same points. A proof that is invalid has been made on the workers already. */
async function workersCanAfter(error: PippinError, work: (onWorkers: boolean) => Promise<unknown>): Promise<boolean> {
  if (error.code === 'PROOF_INVALID') return false;
  try {
    await work(true);
    return true;
  } catch (again) {
    if (isWrongResult(again)) return false;
    throw again;
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
