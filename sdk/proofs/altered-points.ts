import { equalBytes } from '../base/bytes.js';
import { asPippinError, PippinError } from '../base/errors.js';
import { freeMemory } from '../base/free-memory.js';
import type { PreparedBases } from '../bases/prepared.js';
import { repreparePoints } from '../executors/workers/pool/prepare.js';
import { RestorableBytes } from '../executors/workers/pool/restorable-bytes.js';
import type { CacheRecord } from '../files/cache/prepared-cache.js';
import { standInNotice } from '../recovery/fault.js';
import { areCached, isWrongResult, type LoadedPoints, type PointsContext, type WorkingWay } from './loaded-points.js';
import type { ProofCall } from './proof-system.js';

const ON_WORKERS: WorkingWay = { onWorkers: true, suspectsBases: false };

const DAMAGED =
  'the cached points gave a wrong result, and those of the file give a right one; they were prepared again';

/** What is done when a result was wrong and points came from the cache: they are prepared from their source, and the work is done again. */
export class AlteredPoints<Name extends string> {
  /** The last renewal, and whether what the cache had was altered. */
  private renewing = Promise.resolve(false);

  /** @param keep writes points that were prepared to the cache. */
  constructor(
    private readonly context: PointsContext,
    private readonly loaded: LoadedPoints<Name>,
    private readonly keep: (prepared: Readonly<Record<Name, PreparedBases>>) => void,
  ) {}

  /** What `CachedPoints.use` gives after a first result that was wrong. */
  async useAfter<T>(failure: PippinError, call: ProofCall, work: (way: WorkingWay) => Promise<T>): Promise<T> {
    const { mayChoose } = this.context;
    const byWorkers = await resultOfWorkers(failure, work);
    const hasResult = byWorkers !== undefined && mayChoose;
    const wereAltered = hasResult ? await this.findsAltered(call) : await this.renewAfter(failure, call);
    if (byWorkers !== undefined && !wereAltered) {
      this.context.distrustGpu(failure.message);
      if (!mayChoose) throw failure;
      call.notice('WEBGPU_DISTRUSTED', standInNotice(failure));
      return byWorkers.value;
    }
    const result = await work(ON_WORKERS);
    call.notice('CACHE_DAMAGED', DAMAGED);
    return result;
  }

  /** Whether what the cache had was altered, which is told then. The result was right. */
  async found(call: ProofCall): Promise<boolean> {
    const wereAltered = await this.findsAltered(call);
    if (wereAltered) call.notice('CACHE_DAMAGED', DAMAGED);
    return wereAltered;
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
    this.renewing = before.then((wereAltered) => (areCached(this.loaded) ? this.prepareAnew(call) : wereAltered));
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
    this.loaded.fromCache = false;
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
    if (!this.loaded.fromCache) return true;
    const { plan, source, toRecord } = this.loaded;
    const record = await this.context.cache.load(call, plan, source, async (found) => found);
    if (record === undefined) return false;
    const isSame = areSameRecords(record, toRecord(prepared));
    freeMemory(...Object.values(record.arrays));
    return isSame;
  }
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
