import type { LoadedBases } from '../bases/loaded-bases.js';
import type { PreparedBases } from '../bases/prepared.js';
import type { AlteredPoints } from './altered-points.js';
import { loadAlteredPoints } from './load-altered-points.js';
import {
  areCached,
  isWrongResult,
  type LoadedPoints,
  type PointsContext,
  type RenewableVectors,
  type WorkingWay,
} from './loaded-points.js';
import type { ProofCall } from './proof-system.js';

/**
 * Loaded points that may have come from the cache, where any script of the origin can change them and write hashes that fit. Nothing shows that
 * but a wrong result. Then they are prepared from their source.
 */
export class CachedPoints<Name extends string> {
  private readonly loaded: LoadedPoints<Name>;
  private altered: AlteredPoints<Name> | undefined;

  /** @param fromCache whether the points came from the cache. */
  constructor(
    private readonly context: PointsContext,
    loaded: RenewableVectors<Name>,
    fromCache: boolean,
  ) {
    this.loaded = { ...loaded, fromCache };
  }

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
      const altered = await this.whenAltered();
      if (altered === undefined) throw error;
      return altered.useAfter(error, call, work);
    }
    const fault = gpuFault(made);
    if (fault !== undefined) {
      const altered = wereCached || this.areCached ? await this.whenAltered() : undefined;
      if (!(await altered?.found(call))) {
        this.context.distrustGpu(fault);
        call.notice('WEBGPU_DISTRUSTED', `the GPU is used no more: ${fault}`);
      }
    }
    return made;
  }

  /** Writes points that were prepared to the cache, unless they came from there. Frees them here when they are no longer needed for that. */
  keep(prepared: Readonly<Record<Name, PreparedBases>>): void {
    const { plan, source, bases, toRecord } = this.loaded;
    const saved = this.loaded.fromCache ? Promise.resolve() : this.context.cache.save(plan, source, toRecord(prepared));
    void saved.then(() => Promise.allSettled(Object.values<LoadedBases>(bases).map((each) => each.freePoints())));
  }

  private get areCached(): boolean {
    return areCached(this.loaded);
  }

  /** Undefined if its code cannot be loaded now: then nothing is known to have been altered. */
  private async whenAltered(): Promise<AlteredPoints<Name> | undefined> {
    const code = await loadAlteredPoints().catch(() => undefined);
    if (code === undefined) return this.altered;
    this.altered ??= new code.AlteredPoints(this.context, this.loaded, (prepared) => this.keep(prepared));
    return this.altered;
  }
}
