import { loadPart } from '../base/load-part.js';
import { attempt, type Way } from '../recovery/attempt.js';
import type { LoadedBases } from './loaded-bases.js';
import type { PreparedBases } from './prepared.js';
import type { BasesCall } from './record-cache.js';
import type { PointsContext, RenewableVectors, Renewal } from './renewal.js';

/**
 * The code of MSMs that is not needed where a GPU computes them and nothing fails. `IO_FAILED` if its script cannot be
 * loaded.
 *
 * @param what the part of it that is needed, for the message.
 */
export function loadDeferredMsmCode(what: string): Promise<typeof import('./deferred-code.js')> {
  return loadPart(what, () => import('./deferred-code.js'));
}

/**
 * Loaded points that may have come from the cache, where any script of the origin can change them and write hashes that
 * fit. Nothing shows that but a wrong result. Then they are prepared from their source.
 */
export class CachedPoints<Name extends string> {
  private renewal: Renewal<Name> | undefined;

  constructor(
    private readonly context: PointsContext,
    private readonly loaded: RenewableVectors<Name>,
  ) {}

  /**
   * The result of `work` with the points, computed by any executor or (`by: 'workers'`) by the workers alone. The table
   * of recovery says what follows a wrong result: the workers compute; points from the cache are compared with the
   * source, and prepared anew if they were altered, with the notice `CACHE_DAMAGED`; if they were not, and the workers
   * have a right result, the GPU is distrusted: the caller gets their result, or the error if he requires the GPU.
   */
  use<T>(call: BasesCall, work: (way: Way) => Promise<T>): Promise<T> {
    const { gpu } = this.context;
    const wereCached = this.areCached;
    // Idle time may have brought multiples from the cache meanwhile.
    const code = async (): Promise<Renewal<Name> | undefined> =>
      wereCached || this.areCached ? this.loadedRenewal() : undefined;
    const onWorkers = (): Way => ({ by: 'workers' });
    return attempt(
      {
        first: { by: 'any', executor: gpu },
        rungs: {
          // Without the code that compares points, nothing could be said of a result that nobody has verified.
          call: async ({ code: failure }) =>
            failure === 'PROOF_INVALID' || (await code()) !== undefined ? onWorkers() : undefined,
          points: async (failure) => {
            const altered = await code();
            if (altered === undefined) return undefined;
            await altered.renewAfter(failure, call);
            return onWorkers();
          },
        },
        from: () => (this.areCached ? 'cache' : 'file'),
        wereAltered: async (failure) => (await code())?.wereAltered(failure, call) ?? false,
        notice: (name, message) => call.notice(name, message),
      },
      work,
    );
  }

  /**
   * Writes points that were prepared to the cache, unless they came from there. Frees them here when they are no longer
   * needed for that.
   */
  keep(prepared: Readonly<Record<Name, PreparedBases>>): void {
    const { plan, source, bases, toRecord } = this.loaded;
    const areSaved = Object.values<PreparedBases>(prepared).some(({ fromCache }) => fromCache);
    const saved = areSaved ? Promise.resolve() : this.context.cache.save(plan, source, toRecord(prepared));
    void saved.then(() => Promise.allSettled(Object.values<LoadedBases>(bases).map((each) => each.freePoints())));
  }

  /** Whether points or multiples that are used now came from the cache. */
  private get areCached(): boolean {
    return Object.values<LoadedBases>(this.loaded.bases).some(({ isFromCache }) => isFromCache);
  }

  /** Undefined if its code cannot be loaded now: then nothing is known to have been altered. */
  private async loadedRenewal(): Promise<Renewal<Name> | undefined> {
    const code = await loadDeferredMsmCode('altered points').catch(() => undefined);
    if (code === undefined) return this.renewal;
    this.renewal ??= new code.Renewal(this.context, this.loaded, (prepared) => this.keep(prepared));
    return this.renewal;
  }
}
