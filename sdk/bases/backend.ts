import type { MsmCheck } from '../api/index.js';
import type { Executor, NoticeCode, Phase } from '../api/progress.js';
import type { GroupId } from '../curves/index.js';
import type { MultiplesPlan, Tuning } from './multiples.js';
import type { BasesOutline, PointForm } from './prepared.js';
import type { ScalarVector } from './scalar-vector.js';

/** What can compute a multi-scalar multiplication: the GPU or the kernel workers. */
export type MsmExecutor = Exclude<Executor, 'host'>;

/** Observes what is done for a call, and what does it. */
export interface MsmObserver {
  /** Runs a piece of work and measures its time. */
  span<T>(phase: Phase, executor: MsmExecutor, work: () => Promise<T>): Promise<T>;
  notice(code: NoticeCode, message: string): void;
}

/**
 * Options of a multi-scalar multiplication, or of a batch of them. A backend ignores the fields of `Tuning` that do not
 * concern it.
 */
export interface MultiplyOptions extends Tuning {
  readonly signal?: AbortSignal | undefined;
  /** Called with the fraction of all the work that is done, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /**
   * An upper bound on the bits of a scalar, where a scalar s above half the order r counts as the negative number s -
   * r; by default the bits of r / 2. Fewer bits need fewer windows. Each worker measures its own scalars.
   */
  readonly scalarBits?: number | undefined;
  /**
   * For finished MSMs. Default true: every MSM of a batch is over all bases. With false the bases are cut into as many
   * equal runs as there are MSMs, one run for each MSM; then there is one scalar per base.
   */
  readonly sharedBases?: boolean | undefined;
  /**
   * The points of the MSM, by their indices among the loaded ones; by default all. Partial MSMs take scalars for these
   * alone.
   */
  readonly range?: BasesRange | undefined;
  /**
   * Called when the executor has done its part, and only the last steps are left, which small jobs on the workers do.
   */
  readonly onComputed?: (() => void) | undefined;
  readonly observer?: MsmObserver | undefined;
  /**
   * How results are checked of a backend that may compute wrong ones; by default by the equation of the curve alone.
   */
  readonly check?: MsmCheck | undefined;
  /** Uses only the kernel workers, and no backend that may compute wrong results, such as a GPU. */
  readonly trustedOnly?: boolean | undefined;
}

/** The points from..to of a vector of bases, and the worker that is to keep them. */
export interface Share {
  readonly worker: number;
  readonly from: number;
  readonly to: number;
}

/** Options of loading bases. */
export interface BasesLoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether a fault of the device rejects, which otherwise shows in the first multiplication. */
  readonly mustLoad?: boolean | undefined;
  /** For a backend of several workers: the share of each, in order and without gaps; equal shares if left out. */
  readonly shares?: readonly Share[] | undefined;
  readonly observer?: MsmObserver | undefined;
}

/** The points from..to of a vector of bases: of the kept ones, unless something else is said. */
export interface BasesRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Prepared points: their bytes, or an object to get them from. A backend of workers gets them again when it replaces a
 * worker that died. Nobody writes into the bytes.
 */
export type PreparedPoints = Uint8Array | PointsInUse;

export interface PointsInUse {
  /** Runs `work` with the bytes of the points, which stay in memory until it has settled. */
  use<T>(work: (points: Uint8Array) => Promise<T>): Promise<T>;
}

/** Precomputed multiples of prepared bases, in addition to the bases. */
export interface PreparedMultiples {
  /** The executor that takes them; another one does without. */
  readonly executor: MsmExecutor;
  readonly plan: MultiplesPlan;
  /** Whether they came from the cache, where they may have been changed. */
  readonly fromCache?: boolean | undefined;
  /**
   * Runs `work` with multiple 1 of all kept points, then multiple 2, and so on. They stay in memory until it has
   * settled. It is given undefined once they have been freed: what is loaded then does without.
   */
  use<T>(work: (points: Uint8Array | undefined) => Promise<T>): Promise<T>;
}

/** Prepared bases in the form in which a backend loads them. */
export interface BasesToLoad extends BasesOutline {
  readonly points: PreparedPoints;
  readonly multiples?: PreparedMultiples | undefined;
  /** Whether a backend that may compute wrong results makes ready what the check `random` needs of the bases. */
  readonly checksResults?: boolean | undefined;
}

/** Points and, one after another, each of their multiples, with the plan of these. */
export interface BasesParts {
  readonly plan: MultiplesPlan | undefined;
  readonly parts: readonly Uint8Array[];
}

/**
 * What `work` makes of the bytes of prepared points, wherever they come from. They stay in memory until it has settled.
 */
export function withPoints<T>(points: PreparedPoints, work: (points: Uint8Array) => Promise<T>): Promise<T> {
  return points instanceof Uint8Array ? work(points) : points.use(work);
}

/**
 * What `work` makes of the points in some runs with their multiples for this executor, if there are any: the points of
 * all runs, then their first multiples, and so on. They stay in memory until it has settled.
 */
export function withParts<T>(
  { points, kept, multiples }: Pick<BasesToLoad, 'points' | 'kept' | 'multiples'>,
  runs: readonly BasesRange[],
  executor: MsmExecutor,
  work: (parts: BasesParts) => Promise<T>,
): Promise<T> {
  return withPoints(points, async (allPoints) => {
    const bytes = allPoints.length / Math.max(1, kept);
    const partsOf = (all: Uint8Array, first: number): Uint8Array[] =>
      runs.map(({ from, to }) => all.subarray((first + from) * bytes, (first + to) * bytes));
    const own = partsOf(allPoints, 0);
    if (multiples?.executor !== executor) return work({ plan: undefined, parts: own });
    const { plan } = multiples;
    return multiples.use((all) => {
      if (all === undefined) return work({ plan: undefined, parts: own });
      const others = Array.from({ length: plan.multiples - 1 }, (_, j) => partsOf(all, j * kept));
      return work({ plan, parts: [own, ...others].flat() });
    });
  });
}

/** The range that was asked for, or all kept points. */
export function wholeRange(bases: BasesOutline, range: BasesRange | undefined): BasesRange {
  return range ?? { from: 0, to: bases.kept };
}

/**
 * What a backend returns for an MSM: its window sums, which `reduceWindows` combines, or a few affine points that add
 * up to the result.
 */
export type PartialSums =
  | {
      readonly kind: 'windows';
      readonly windowBits: number;
      /**
       * Window after window, lowest first: accumulators in packed Montgomery form, 4 coordinates each.
       * Weierstrass: X, Y, ZZ, ZZZ (infinity has ZZ = 0). Edwards: X, Y, Z, T.
       */
      readonly sums: Uint8Array;
    }
  | {
      readonly kind: 'points';
      /** Affine points in the boundary form. */
      readonly points: readonly Uint8Array[];
      /** Whether it is one point, known to be on the curve. */
      readonly isResult?: boolean;
    };

/** The result of an MSM, and what computed it. */
export interface ComputedMsm {
  /** Affine, in the boundary form. */
  readonly point: Uint8Array;
  /** One executor, or several that shared the work. */
  readonly executors: readonly MsmExecutor[];
}

/** The copy of bases that multiplications take for which only the workers are trusted. */
export interface TrustedCopy {
  /** Loads it, with these shares for the workers, and keeps it until `free` is called. */
  load(shares: readonly Share[] | undefined): Promise<void>;
  /** Lets it go when nobody uses it. */
  free(): void;
}

/** Bases that a backend has loaded. */
export interface ResidentBases {
  /** The number of scalars that an MSM expects. */
  readonly count: number;
  /** Fulfilled when no load that was begun needs the prepared points any more; undefined if that is so at once. */
  readonly settled?: Promise<void> | undefined;
  /** A copy for `trustedOnly` multiplications that is kept beside another one; undefined if there is no other. */
  readonly trustedCopy?: TrustedCopy | undefined;
  /** Frees their memory. Calling it twice does no harm. */
  release(): void;
}

/** What a backend can do. */
export interface MsmCapabilities {
  readonly executor: MsmExecutor;
  readonly groups: readonly GroupId[];
  readonly forms: readonly PointForm[];
  /** The most multiplications that it takes in one call. */
  readonly maxBatch: number;
}

/**
 * Computes MSMs over bases that it has loaded. The GPU and the kernel workers return partial sums (`PartialSums`),
 * which the decorator `finishing` reduces to results (`ComputedMsm`). The decorators around it have the same interface.
 */
export interface MsmBackend<Bases extends ResidentBases = ResidentBases, Result = PartialSums> {
  readonly capabilities: MsmCapabilities;
  /**
   * Copies the points of a range (by default all kept points) to where they are summed. `OUT_OF_MEMORY` when they do
   * not fit.
   */
  load(bases: BasesToLoad, range?: BasesRange, options?: BasesLoadOptions): Promise<Bases>;
  /**
   * Computes `batch` MSMs over the same bases. `scalars` holds batch * bases.count checked scalars, MSM after MSM; a
   * backend that returns partial sums and gets `options.range` takes the scalars of the range alone. Returns the result
   * of each MSM.
   */
  multiplyBatch(bases: Bases, scalars: ScalarVector, batch: number, options?: MultiplyOptions): Promise<Result[]>;
}

/** How MSMs are cut into windows: digit w of a scalar, by windows of `windowBits` bits, goes to row w mod `rows`. */
export interface RowPlan {
  readonly windowBits: number;
  /** Windows of a scalar: more than rows if points have multiples. */
  readonly windows: number;
  readonly rows: number;
  /** Whether a scalar s above half the order r is cut as r - s, with the opposite digits. */
  readonly isCentred: boolean;
}

/**
 * A backend that reports how it cuts scalars into windows, and returns one partial sum per bit: `windowBits` of them
 * for each row, lowest first.
 */
export interface PlannedBackend<Bases extends ResidentBases = ResidentBases> extends MsmBackend<Bases> {
  /** The plan that so many MSMs with these options would follow now. They follow it later if they name its window. */
  rowPlan(bases: Bases, batch: number, options: MultiplyOptions): RowPlan;
}

/**
 * A backend that returns results. It expects a scalar for every point that the caller gave, whether the point was kept
 * or not.
 */
export type CompleteMsmBackend<Bases extends ResidentBases = ResidentBases> = MsmBackend<Bases, ComputedMsm>;

/** A backend that may become unavailable, because its device was lost or it is no longer trusted. */
export interface RevocableBackend extends CompleteMsmBackend {
  readonly isAvailable: boolean;
  /**
   * Whether an MSM would begin at once. Otherwise it would wait for a device to open, or for kernels to be compiled.
   */
  readonly isReady: boolean;
}
