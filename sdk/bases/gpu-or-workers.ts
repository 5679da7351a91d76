import { equalBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { ownMembers } from '../base/records.js';
import { asLost, attempt, type FallibleExecutor, standInNotice, type Way } from '../recovery/attempt.js';
import { leadsTo, type PointsFrom } from '../recovery/table.js';
import type {
  BasesLoadOptions,
  BasesRange,
  BasesToLoad,
  CompleteMsmBackend,
  ComputedMsm,
  MsmCapabilities,
  MultiplyOptions,
  ResidentBases,
  RevocableBackend,
  TrustedCopy,
} from './backend.js';
import { ResidentCopy } from './resident-copy.js';
import type { ScalarVector } from './scalar-vector.js';

/** A GPU that can be lost, perhaps for another one, and that may compute wrong. */
export interface MsmDevice extends FallibleExecutor {
  readonly capabilities: MsmCapabilities;
  /** The backend on the device that is open now; undefined when none is. */
  current(): Promise<CompleteMsmBackend> | undefined;
  /** Whether the current backend can multiply at once. */
  isReady(): boolean;
  /**
   * Opens another device after the device of backend `lost` was lost; false when none can be opened. Left out where a
   * lost device is never replaced.
   */
  reopen?(lost: Promise<CompleteMsmBackend>): Promise<boolean>;
}

/** Who multiplies when, and what with. */
export interface GpuAndWorkers {
  readonly gpu: MsmDevice;
  /** What multiplies in the GPU's place; undefined if others do, who share the work. */
  readonly workers: CompleteMsmBackend | undefined;
  /** What the check `recompute` compares MSMs with; undefined where nobody asks for it, or it is done already. */
  readonly compareWith: CompleteMsmBackend | undefined;
  /** Whether a multiplication waits for the GPU to become ready. */
  readonly waits: boolean;
}

/**
 * Multiplies on the GPU while there is one, and otherwise on the workers. The table of recovery says what is done when
 * the GPU fails: another device is opened, onto which the bases are loaded when they are first needed there, or the
 * workers do the work again, and a notice says so. A caller who requires the GPU gets its faults as errors, and a
 * notice when it is gone. Bases for which the memory budget leaves no room on the GPU are the workers'. If one result
 * of a batch is wrong, the whole batch is computed again. Unless `waits` is set, the workers also do the work as long
 * as the GPU is not ready: bases then lie on both, and the workers' copy is freed when the GPU takes over.
 *
 * With `check: 'recompute'` the workers compute each MSM concurrently with the GPU, and the results are compared:
 * `RESULT_INVALID` when they differ.
 */
export function gpuOrWorkers(who: GpuAndWorkers): RevocableBackend {
  const { gpu, workers, waits } = who;
  const isAvailable = (): boolean => gpu.current() !== undefined;
  const takesPart = (): boolean => isAvailable() && (waits || gpu.isReady());
  return {
    get capabilities() {
      return workers === undefined || takesPart() ? gpu.capabilities : workers.capabilities;
    },
    get isAvailable() {
      return isAvailable();
    },
    get isReady() {
      return takesPart();
    },

    async load(bases, range, options = {}) {
      const loaded = new CopiedBases(who, bases, range, options.shares);
      if (workers === undefined || takesPart()) {
        try {
          await loaded.load(options);
          return loaded;
        } catch (error) {
          if (options.mustLoad || workers === undefined || !leadsTo(error, 'gpu', 'budget')) throw error;
        }
      } else if (isAvailable()) loaded.settled = loaded.load({}).catch(() => undefined);
      await loaded.onWorkers(options);
      return loaded;
    },

    async multiplyBatch(given, scalars, batch, options = {}) {
      const bases = given as CopiedBases;
      const { observer } = options;
      // Nobody but the device that holds them can take these.
      const needsGpu = workers === undefined || scalars.kind === 'device';
      const usesGpu = needsGpu || (takesPart() && !options.trustedOnly);
      if (!usesGpu && gpu.isRequired && !isAvailable() && !options.trustedOnly) {
        observer?.notice('WEBGPU_UNAVAILABLE', 'the GPU was lost or gave a wrong result; the WASM workers do its work');
      }
      const onGpu: Way = { by: 'gpu', executor: gpu };
      const onWorkers: Way = { by: 'workers' };
      let used: Promise<CompleteMsmBackend> | undefined;
      const multiply = async ({ by }: Way): Promise<ComputedMsm[]> => {
        if (by === 'workers')
          return bases.useWorkers(options, (copy) => workers!.multiplyBatch(copy, scalars, batch, options));
        used = gpu.current();
        const results = await bases.multiplyOnGpu(used, scalars, batch, options);
        bases.freeWorkers();
        return results;
      };
      const device = async (): Promise<Way | undefined> =>
        used !== undefined && (await gpu.reopen?.(used)) ? onGpu : undefined;
      const standIn = (failure: PippinError): Way => {
        observer?.notice('WEBGPU_DISTRUSTED', standInNotice(failure));
        return onWorkers;
      };
      const rungs = {
        // Scalars on a device were lost with it.
        ...(scalars.kind !== 'device' && { device }),
        ...(!needsGpu && { budget: () => onWorkers }),
        ...(!needsGpu && !gpu.isRequired && { workers: standIn }),
      };
      return attempt({ first: usesGpu ? onGpu : onWorkers, rungs, from: () => bases.from }, multiply);
    },
  };
}

/** Bases with a copy on the GPU, on the workers, or on both. Each is made when it is first needed. */
class CopiedBases implements ResidentBases {
  isReleased = false;
  settled: Promise<void> | undefined;
  /** The device's backend and the bases on it. A copy on a lost device is forgotten. */
  private onDevice:
    | { readonly backend: Promise<CompleteMsmBackend>; readonly copy: ResidentCopy<ResidentBases> }
    | undefined;
  private readonly workersCopy = new ResidentCopy<ResidentBases>();
  /**
   * Who keeps the copy of the workers: multiplications under way there, the caller of `trustedCopy.load`, and
   * comparisons.
   */
  private users = 0;
  private isKept = false;
  private isCompared = false;
  readonly trustedCopy: TrustedCopy = {
    load: async (shares) => {
      this.isKept = true;
      if (this.users === 0 && this.shares !== shares) {
        this.workersCopy.release();
        this.shares = shares;
      }
      await this.onWorkers({});
    },
    free: () => {
      this.isKept = false;
      this.freeWorkers();
    },
  };

  constructor(
    private readonly who: GpuAndWorkers,
    private readonly bases: BasesToLoad,
    private readonly range: BasesRange | undefined,
    private shares: BasesLoadOptions['shares'],
  ) {}

  get count(): number {
    return this.bases.count;
  }

  get from(): PointsFrom {
    const { fromCache, multiples } = this.bases;
    return fromCache || multiples?.fromCache ? 'cache' : 'file';
  }

  /** Loads them onto the GPU. A multiplication meets a fault again, and can then open another device or do without. */
  async load(options: BasesLoadOptions): Promise<void> {
    try {
      await this.onGpu(this.who.gpu.current(), options);
    } catch (error) {
      if (options.mustLoad || !leadsTo(error, 'gpu', 'workers')) throw error;
    }
  }

  /** Computes MSMs on the GPU, and with `check: 'recompute'` compares them with the workers' results. */
  async multiplyOnGpu(
    backend: Promise<CompleteMsmBackend> | undefined,
    scalars: ScalarVector,
    batch: number,
    options: MultiplyOptions,
  ): Promise<ComputedMsm[]> {
    const { gpu, compareWith } = this.who;
    const multiply = async (): Promise<ComputedMsm[]> => {
      const resident = await this.onGpu(backend, { observer: options.observer });
      return (await backend!).multiplyBatch(resident, scalars, batch, options);
    };
    try {
      if (compareWith === undefined || options.check !== 'recompute') return await multiply();
      this.isCompared = true;
      const { signal, windowBits, scalarBits, range, sharedBases } = options;
      const own = { signal, windowBits, scalarBits, range, sharedBases };
      const recomputing = this.useWorkers({}, (copy) => compareWith.multiplyBatch(copy, scalars, batch, own));
      const [results, expected] = await Promise.all([multiply(), recomputing]);
      if (areSameResults(results, expected)) return results;
      const { executor } = gpu.capabilities;
      throw new PippinError(
        'RESULT_INVALID',
        `expected the sums that the workers compute, got others from ${executor}`,
      );
    } catch (error) {
      throw this.isReleased || gpu.current() === backend ? error : asLost(error);
    }
  }

  /** Works with the copy of the workers, which is not freed meanwhile. */
  async useWorkers<T>(
    { observer }: Pick<BasesLoadOptions, 'observer'>,
    work: (copy: ResidentBases) => Promise<T>,
  ): Promise<T> {
    this.users++;
    try {
      return await work(await this.onWorkers({ observer }));
    } finally {
      this.users--;
    }
  }

  /** The copy of the workers; see `ResidentCopy`. */
  onWorkers(options: BasesLoadOptions): Promise<ResidentBases> {
    this.throwIfReleased();
    const workers = this.who.workers ?? this.who.compareWith!;
    const own = ownMembers({ ...options, shares: this.shares });
    return this.workersCopy.get(() => workers.load(this.bases, this.range, own));
  }

  /** Frees the copy of the workers, unless somebody keeps it. */
  freeWorkers(): void {
    if (this.users === 0 && !this.isKept && !this.isCompared) this.workersCopy.release();
  }

  release(): void {
    this.isReleased = true;
    this.onDevice?.copy.release();
    this.workersCopy.release();
  }

  private onGpu(backend: Promise<CompleteMsmBackend> | undefined, options: BasesLoadOptions): Promise<ResidentBases> {
    this.throwIfReleased();
    if (backend === undefined) {
      return Promise.reject(new PippinError('DEVICE_LOST', 'expected an open GPU device, got none'));
    }
    if (this.onDevice?.backend !== backend) this.onDevice = { backend, copy: new ResidentCopy() };
    return this.onDevice.copy.get(() => backend.then((open) => open.load(this.bases, this.range, options)));
  }

  private throwIfReleased(): void {
    if (this.isReleased) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
  }
}

/** Whether two lists of MSMs have the same points. */
function areSameResults(results: readonly ComputedMsm[], others: readonly ComputedMsm[]): boolean {
  return results.length === others.length && results.every(({ point }, i) => equalBytes(point, others[i]!.point));
}
