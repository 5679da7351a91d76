import { PippinError } from '../errors.js';
import type {
  BasesLoadOptions,
  BasesRange,
  BasesToLoad,
  ResidentBases,
  RevocableBackend,
  SumBackend,
} from './backend.js';
import { isBackendFault } from './fault.js';
import { ResidentCopy } from './resident-copy.js';

/**
 * Multiplies on `first` while it is available. When it is not, `second` does the work; when it fails, `second` does the work again, and a
 * notice says so. If one result of a batch is wrong, the whole batch is computed again.
 *
 * @param insist whether a call in which `first` fails rejects with its error instead.
 */
export function fallback(first: RevocableBackend, second: SumBackend, { insist }: { insist: boolean }): SumBackend {
  return {
    get capabilities() {
      return first.isAvailable ? first.capabilities : second.capabilities;
    },

    async load(bases, range, options) {
      const loaded = new FallbackBases(first, second, bases, range, options?.shares);
      await loaded.load(options);
      return loaded;
    },

    async multiplyBatch(bases, scalars, batch, options = {}) {
      const loaded = bases as FallbackBases;
      const { observer } = options;
      if (first.isAvailable && !options.trustedOnly) {
        try {
          return await first.multiplyBatch(await loaded.onFirst({ observer }), scalars, batch, options);
        } catch (error) {
          if (insist || !isBackendFault(error)) throw error;
          const fault = `the GPU failed (${error.code}: ${error.message})`;
          observer?.notice('WEBGPU_DISTRUSTED', `${fault}; the WASM workers did its work`);
        }
      }
      return second.multiplyBatch(await loaded.onSecond({ observer }), scalars, batch, options);
    },
  };
}

/** Bases with a copy on the first backend, the second, or both. Each copy is made when it is first needed. */
class FallbackBases implements ResidentBases {
  private readonly first = new ResidentCopy();
  private readonly second = new ResidentCopy();
  private released = false;

  constructor(
    private readonly firstBackend: RevocableBackend,
    private readonly secondBackend: SumBackend,
    private readonly bases: BasesToLoad,
    private readonly range: BasesRange | undefined,
    private readonly shares: BasesLoadOptions['shares'],
  ) {}

  get count(): number {
    return this.bases.count;
  }

  /** Copies them to the backend that the next multiplication will use. */
  async load(options: BasesLoadOptions | undefined): Promise<void> {
    await (this.firstBackend.isAvailable ? this.onFirst(options) : this.onSecond(options));
  }

  /** The copy on the first backend; see `ResidentCopy`. */
  onFirst(options: BasesLoadOptions | undefined): Promise<ResidentBases> {
    this.throwIfReleased();
    return this.first.get(() => this.firstBackend.load(this.bases, this.range, options));
  }

  /** The copy on the second backend. */
  onSecond(options: BasesLoadOptions | undefined): Promise<ResidentBases> {
    this.throwIfReleased();
    return this.second.get(() => this.secondBackend.load(this.bases, this.range, { ...options, shares: this.shares }));
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
