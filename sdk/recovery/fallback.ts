import { PippinError } from '../base/errors.js';
import { ownMembers } from '../base/is-object.js';
import { BudgetExceeded } from '../base/memory-budget.js';
import type {
  BasesLoadOptions,
  BasesRange,
  BasesToLoad,
  ResidentBases,
  RevocableBackend,
  SumBackend,
  TrustedCopy,
} from '../bases/backend.js';
import { ResidentCopy } from '../bases/resident-copy.js';
import { isBackendFault, standInNotice } from './fault.js';

export interface FallbackOptions {
  /** Whether a call in which `first` fails rejects with its error. */
  readonly insist: boolean;
  /** Whether a multiplication waits for `first` to become ready. */
  readonly wait: boolean;
}

/**
 * Multiplies on `first` while it is available. When it is not, `second` does the work; when it fails, `second` does the work again, and a
 * notice says so. If one result of a batch is wrong, the whole batch is computed again. Unless `wait` is set, `second` also does the work
 * as long as `first` is not ready. Bases that do not fit the memory budget of `first` are `second`'s. A caller who insists on `first` is told by a notice when it is not available any more. Scalars on a device are for `first` alone, whatever happens. Bases then lie on both, and `second` frees its copy when `first` can take over.
 */
export function fallback(first: RevocableBackend, second: SumBackend, { insist, wait }: FallbackOptions): SumBackend {
  const takesPart = (): boolean => first.isAvailable && (wait || first.isReady);
  return {
    get capabilities() {
      return takesPart() ? first.capabilities : second.capabilities;
    },

    async load(bases, range, options) {
      const loaded = new FallbackBases(first, second, bases, range, options?.shares);
      if (takesPart()) {
        try {
          await loaded.onFirst(options);
          return loaded;
        } catch (error) {
          if (options?.mustLoad || !(error instanceof BudgetExceeded)) throw error;
        }
      } else if (first.isAvailable) loaded.beginOnFirst();
      await loaded.onSecond(options);
      return loaded;
    },

    async multiplyBatch(bases, scalars, batch, options = {}) {
      const loaded = bases as FallbackBases;
      const { observer } = options;
      // Nobody but the device that holds them can take these.
      if (scalars.kind === 'device')
        return first.multiplyBatch(await loaded.onFirst({ observer }), scalars, batch, options);
      if (takesPart() && !options.trustedOnly) {
        try {
          const sums = await first.multiplyBatch(await loaded.onFirst({ observer }), scalars, batch, options);
          loaded.freeSecond();
          return sums;
        } catch (error) {
          // What the caller's budget leaves no room for is the second's, for a caller who insists, too.
          if (!(error instanceof BudgetExceeded)) {
            if (insist || !isBackendFault(error)) throw error;
            if (options.suspectsBases && error.code === 'RESULT_INVALID') throw error;
            observer?.notice('WEBGPU_DISTRUSTED', standInNotice(error));
          }
        }
      }
      if (insist && !first.isAvailable && !options.trustedOnly) {
        observer?.notice('WEBGPU_UNAVAILABLE', 'the GPU was lost or gave a wrong result; the WASM workers do its work');
      }
      return loaded.useSecond({ observer }, (resident) => second.multiplyBatch(resident, scalars, batch, options));
    },
  };
}

/** Bases with a copy on the first backend, the second, or both. Each copy is made when it is first needed. */
class FallbackBases implements ResidentBases {
  private readonly first = new ResidentCopy<ResidentBases>();
  private readonly second = new ResidentCopy<ResidentBases>();
  private released = false;
  /** Who keeps the copy on the second backend: multiplications that are under way there, and the caller of `trustedCopy.load`. */
  private onSecondNow = 0;
  private keepsSecond = false;
  settled: Promise<void> | undefined;
  readonly trustedCopy: TrustedCopy = {
    load: async (shares) => {
      this.keepsSecond = true;
      if (this.onSecondNow === 0) {
        this.second.release();
        this.shares = shares;
      }
      await this.onSecond({});
    },
    free: () => {
      this.keepsSecond = false;
      this.freeSecond();
    },
  };

  constructor(
    private readonly firstBackend: RevocableBackend,
    private readonly secondBackend: SumBackend,
    private readonly bases: BasesToLoad,
    private readonly range: BasesRange | undefined,
    private shares: BasesLoadOptions['shares'],
  ) {}

  get count(): number {
    return this.bases.count;
  }

  /** Begins to copy them to the first backend. A failure shows in the first multiplication there. */
  beginOnFirst(): void {
    this.settled = this.onFirst({}).then(
      () => undefined,
      () => undefined,
    );
  }

  /** The copy on the first backend; see `ResidentCopy`. */
  onFirst(options: BasesLoadOptions | undefined): Promise<ResidentBases> {
    this.throwIfReleased();
    return this.first.get(() => this.firstBackend.load(this.bases, this.range, options));
  }

  /** The copy on the second backend. */
  onSecond(options: BasesLoadOptions | undefined): Promise<ResidentBases> {
    this.throwIfReleased();
    return this.second.get(() =>
      this.secondBackend.load(this.bases, this.range, ownMembers({ ...options, shares: this.shares })),
    );
  }

  /** Works with the copy on the second backend, which is not freed meanwhile. */
  async useSecond<T>(options: BasesLoadOptions, work: (resident: ResidentBases) => Promise<T>): Promise<T> {
    this.onSecondNow++;
    try {
      return await work(await this.onSecond(options));
    } finally {
      this.onSecondNow--;
    }
  }

  /** Frees the copy on the second backend, unless somebody keeps it. */
  freeSecond(): void {
    if (this.onSecondNow === 0 && !this.keepsSecond) this.second.release();
  }

  release(): void {
    this.released = true;
    this.first.release();
    this.second.release();
  }

  private throwIfReleased(): void {
    if (this.released) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
  }
}
