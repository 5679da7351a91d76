import type { GroupId } from '../curves/index.js';
import type { Executor, NoticeCode, Phase } from '../progress.js';
import type { BasesOutline, PointForm } from './prepared.js';
import type { ScalarVector } from './scalar-vector.js';

/** Who can sum k_i P_i. */
export type MsmExecutor = Exclude<Executor, 'host'>;

/** Told of what is done for a call, and by whom. */
export interface MsmObserver {
  /** Runs a piece of work, so that its time can be taken. */
  span<T>(phase: Phase, executor: MsmExecutor, work: () => Promise<T>): Promise<T>;
  notice(code: NoticeCode, message: string): void;
}

/** What a multi-scalar multiplication, or a batch of them, is told beside its operands. */
export interface MsmOptions {
  readonly signal?: AbortSignal | undefined;
  /** `fraction` of all the work that is done, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Bits of a window, 4 to 20; chosen by the plan when left out. */
  readonly windowBits?: number | undefined;
  readonly observer?: MsmObserver | undefined;
  /** Passes over the backends that may compute wrong results, such as a GPU: the kernel workers do all the work. */
  readonly trustedOnly?: boolean | undefined;
}

/** The points from..to of a vector of bases, and the worker that is to keep them. */
export interface Share {
  readonly worker: number;
  readonly from: number;
  readonly to: number;
}

/** What loading bases is told beside them. */
export interface BasesLoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** For a backend of several workers: which of them is to keep what, in order and without gaps; equal shares when left out. */
  readonly shares?: readonly Share[] | undefined;
  readonly observer?: MsmObserver | undefined;
}

/** The kept points from..to of prepared bases. */
export interface BasesRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Prepared points: their bytes, or where to get them. A backend of workers gets them again for a worker in the place of one that died;
 * nobody writes into them.
 */
export type PreparedPoints = Uint8Array | { get(): Promise<Uint8Array> };

/** Prepared bases as a backend is given them. */
export interface BasesToLoad extends BasesOutline {
  readonly points: PreparedPoints;
}

/** The bytes of prepared points, wherever they come from. */
export async function bytesOfPoints(points: PreparedPoints): Promise<Uint8Array> {
  return points instanceof Uint8Array ? points : points.get();
}

/** The range that was asked for, or all kept points. */
export function wholeRange(bases: BasesOutline, range: BasesRange | undefined): BasesRange {
  return range ?? { from: 0, to: bases.kept };
}

/**
 * What a backend gives back: the sums of its windows, to be put together by `reduceWindows`, or a few affine points whose
 * sum is the result.
 */
export type MsmParts =
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
    };

/** A finished sum and who computed it. */
export interface MsmSum {
  /** Affine, in the boundary form. */
  readonly point: Uint8Array;
  /** One, or several that shared the work. */
  readonly executors: readonly MsmExecutor[];
}

/** Bases that lie ready on a backend. */
export interface ResidentBases {
  /** Scalars that a multiplication expects. */
  readonly count: number;
  /** Gives their memory back. Harmless when called twice. */
  release(): void;
}

/** What a backend can do. */
export interface MsmCapabilities {
  readonly executor: MsmExecutor;
  readonly groups: readonly GroupId[];
  readonly forms: readonly PointForm[];
  /** Most multiplications that it is given in one call. */
  readonly maxBatch: number;
}

/**
 * Sums k_i P_i over bases that it has loaded. The GPU and the kernel workers give the parts of a sum (`MsmParts`); `finishing` makes
 * sums of them (`MsmSum`), and what is built upon it (timing, opening a lost device again, distrust, fallback) has the same interface.
 */
export interface MsmBackend<Bases extends ResidentBases = ResidentBases, Result = MsmParts> {
  readonly capabilities: MsmCapabilities;
  /** Copies the points of a range, all kept ones when left out, to where they are summed. `OUT_OF_MEMORY` when they do not fit. */
  load(bases: BasesToLoad, range?: BasesRange, options?: BasesLoadOptions): Promise<Bases>;
  /**
   * `batch` multiplications over the same bases. `scalars` holds batch * bases.count of them, multiplication after multiplication,
   * already checked. Gives the result of each multiplication.
   */
  multiplyBatch(bases: Bases, scalars: ScalarVector, batch: number, options?: MsmOptions): Promise<Result[]>;
}

/** A backend that gives finished sums, and expects a scalar for each point as given. */
export type SumBackend<Bases extends ResidentBases = ResidentBases> = MsmBackend<Bases, MsmSum>;

/** A backend that may be gone one day: its device was lost, or it is trusted no more. */
export interface RevocableBackend extends SumBackend {
  readonly isAvailable: boolean;
}
