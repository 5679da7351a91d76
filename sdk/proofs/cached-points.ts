import type { LoadedSource } from '../cache/loaded-source.js';
import type { CacheRecord } from '../cache/prepared-cache.js';
import { type PrepareRequest, repreparePoints } from '../cpu/pool/prepare.js';
import { RestorableBytes } from '../cpu/pool/restorable-bytes.js';
import { asPippinError, PippinError } from '../errors.js';
import { equalBytes } from '../field/bytes.js';
import { standInNotice } from '../msm/fault.js';
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

/** How a piece of work is done. */
export interface WorkingWay {
  /** Whether it uses the workers alone, so that no fault of the GPU counts as one of the points. */
  readonly onWorkers: boolean;
  /** Whether a wrong sum may come of the points (`MsmOptions.suspectsBases`). */
  readonly suspectsBases: boolean;
}

const ON_WORKERS: WorkingWay = { onWorkers: true, suspectsBases: false };

const DAMAGED =
  'the cached points gave a wrong result, and those of the file give a right one; they were prepared again';

/**
 * Loaded points that may have come from the cache, where any script of the origin can change them and write hashes that fit. Nothing shows that
 * but a wrong result. Then they are prepared from their source.
 */
export class CachedPoints<Name extends string> {
  /** The last renewal, and whether what the cache had was altered. */
  private renewing = Promise.resolve(false);

  /** @param fromCache whether the points came from the cache. */
  constructor(
    private readonly context: Pick<ProofContext, 'pool' | 'cache' | 'mayChoose' | 'distrustGpu'>,
    private readonly loaded: RenewableVectors<Name>,
    private fromCache: boolean,
  ) {}

  /**
   * What `work` makes with the points. If its result is wrong, and points or multiples came from the cache, all records of their source are
   * deleted, and the points are prepared anew. If what the cache had was altered, the work is done once more, and if its result is right then, the
   * notice `CACHE_DAMAGED` tells it. If it was not, and the workers have a right result, the GPU is used no more: the caller gets their result, or
   * the error if he requires the GPU.
   *
   * @param gpuFault why a result shows that the GPU computed something wrong for it, if it does. The result itself is right.
   */
  async use<T>(
    call: ProofCall,
    work: (way: WorkingWay) => Promise<T>,
    gpuFault: (made: T) => string | undefined = () => undefined,
  ): Promise<T> {
    const wereCached = this.areCached;
    let made: T;
    try {
      made = await work({ onWorkers: false, suspectsBases: wereCached });
    } catch (error) {
      // Idle time may have brought multiples from the cache meanwhile.
      if (!(wereCached || this.areCached) || !isWrongResult(error)) throw error;
      return this.useAfter(error, call, work);
    }
    const fault = gpuFault(made);
    if (fault !== undefined) {
      const wereAltered = (wereCached || this.areCached) && (await this.findsAltered(call));
      if (wereAltered) call.notice('CACHE_DAMAGED', DAMAGED);
      else this.distrustGpu(call, fault, `the GPU is used no more: ${fault}`);
    }
    return made;
  }

  /** The same after a first result that was wrong. */
  private async useAfter<T>(failure: PippinError, call: ProofCall, work: (way: WorkingWay) => Promise<T>): Promise<T> {
    const { mayChoose } = this.context;
    const byWorkers = await resultOfWorkers(failure, work);
    const hasResult = byWorkers !== undefined && mayChoose;
    const wereAltered = hasResult ? await this.findsAltered(call) : await this.renewAfter(failure, call);
    if (byWorkers !== undefined && !wereAltered) {
      if (!mayChoose) {
        this.context.distrustGpu(failure.message);
        throw failure;
      }
      this.distrustGpu(call, failure.message, standInNotice(failure));
      return byWorkers.value;
    }
    const result = await work(ON_WORKERS);
    call.notice('CACHE_DAMAGED', DAMAGED);
    return result;
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

  private distrustGpu(call: ProofCall, reason: string, notice: string): void {
    this.context.distrustGpu(reason);
    call.notice('WEBGPU_DISTRUSTED', notice);
  }

  /** Renews the points where there is a right result already. If they cannot be read any more, nothing is known to have been altered. */
  private async findsAltered(call: ProofCall): Promise<boolean> {
    try {
      return await this.renew(call);
    } catch (error) {
      const { code } = asPippinError(error);
      if (code === 'ABORTED' || code === 'DISPOSED') throw error;
      return false;
    }
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
    const { source, bases, requests, growth } = this.loaded;
    const prepared = await this.preparedBeforeDrop(call);
    const areSame =
      (await this.isSameRecord(call, prepared)) && (await growth?.cachedAreThoseOf(call, prepared)) !== false;
    await growth?.restart();
    await cache.drop(source);
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
    return !areSame;
  }

  /** The points of the source. If it cannot be read any more, its records are deleted: nobody can tell whether they are right. */
  private async preparedBeforeDrop(call: ProofCall): Promise<Readonly<Record<Name, PreparedBases>>> {
    try {
      return await this.loaded.prepare(call);
    } catch (error) {
      await this.context.cache.drop(this.loaded.source);
      throw error;
    }
  }

  /** Whether the record in the cache is that of these points, where they came from there. */
  private async isSameRecord(call: ProofCall, prepared: Readonly<Record<Name, PreparedBases>>): Promise<boolean> {
    if (!this.fromCache) return true;
    const { plan, source, toRecord } = this.loaded;
    const record = await this.context.cache.load(call, plan, source, async (found) => found);
    if (record === undefined) return false;
    const isSame = areSameRecords(record, toRecord(prepared));
    freeMemory(...Object.values(record.arrays));
    return isSame;
  }
}

/** Whether an error is one that wrong points explain. */
function isWrongResult(error: unknown): error is PippinError {
  return error instanceof PippinError && (error.code === 'PROOF_INVALID' || error.code === 'RESULT_INVALID');
}

/** What the workers make with the same points, if that is right. A proof that is invalid has been made on the workers already. */
async function resultOfWorkers<T>(
  error: PippinError,
  work: (way: WorkingWay) => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  if (error.code === 'PROOF_INVALID') return undefined;
  try {
    return { value: await work(ON_WORKERS) };
  } catch (again) {
    if (isWrongResult(again)) return undefined;
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
