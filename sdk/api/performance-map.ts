import type { CurveId, GroupId } from '../curves/index.js';
import type { CallOptions } from './call-options.js';
import type { Accumulation } from './tuning.js';

/** The time of an MSM with precomputed multiples of its bases (see `Precompute`). */
export interface MapMultiples {
  /** The multiples of each base, the base among them: 2 to 32. */
  readonly multiples: number;
  /** Bits of a window, 4 to 20. */
  readonly windowBits: number;
  /** Rows of buckets: the windows divided by the multiples. */
  readonly rows: number;
  /** Milliseconds of the fastest run. */
  readonly ms: number;
}

/** The time of an MSM on one device by the work that its scalars are. */
export interface MapTime {
  /**
   * How often bases are added to buckets by windows of 16 bits: for a scalar s once for each window that it has, where
   * one above r / 2 counts as r - s. 0 is no work, 1 an addition, a scalar of 254 bits 16.
   */
  readonly work: number;
  /** Milliseconds of the fastest run. */
  readonly ms: number;
  /** The same with the default `check` on the GPU; left out for the workers, and where the time did not suffice. */
  readonly checkedMs?: number;
}

/** The time of an MSM of uniformly random scalars on one device. */
export interface MapRow extends MapTime {
  /** The curve. */
  readonly curve: CurveId;
  /** The group. */
  readonly group: GroupId;
  /** The number of points, a power of two. */
  readonly points: number;
  /** The window that was fastest, 4 to 20 bits; left out for the workers, which choose theirs by the scalars. */
  readonly windowBits?: number;
  /** As in `MsmTuning`: what was clearly faster than what is usual. Each is left out where nothing was. */
  readonly chunks?: number;
  /** As `MsmTuning.largeBucketFactor`. */
  readonly largeBucketFactor?: number;
  /** As `MsmTuning.digits`. */
  readonly digits?: 'workers';
  /**
   * The same with sparse scalars: a thirty-second random, the others 0 and 1 in equal parts. Between the two times the
   * work of an MSM's scalars decides whether the GPU or the workers compute it. Left out where the time did not
   * suffice.
   */
  readonly sparse?: MapTime;
  /**
   * The same with multiples of the bases, from which `precompute: 'auto'` chooses; left out where the time did not
   * suffice.
   */
  readonly withMultiples?: readonly MapMultiples[];
}

/** An MSM by several kinds of field product. */
export interface ProductTimes {
  /** The number of points: 2^14, or 2^16 or 2^18 where that takes only a few milliseconds. */
  readonly points: number;
  /** Milliseconds of the fastest run by each kind, with uniformly random scalars. */
  readonly ms: Readonly<Partial<Record<Accumulation, number>>>;
}

/** What was measured on a GPU. */
export interface AdapterTimes {
  /** What the browser reports of the adapter. */
  readonly adapter: string;
  /** The fastest field product, as `MsmTuning.accumulation`. */
  readonly products: Accumulation;
  /** What the kinds of product that the device computes right took; left out if they were not compared. */
  readonly productTimes?: ProductTimes;
  /** The times, by curve and number of points. */
  readonly rows: readonly MapRow[];
}

/** A performance map: how long MSMs take on this device. It is plain data, to be kept as JSON. */
export interface PerformanceMap {
  /** Maps of another format are not used: they are of another version of Pippin. */
  readonly format: number;
  /** When it was measured (ISO 8601). */
  readonly made: string;
  /** The browser, or Node's version. */
  readonly platform: string;
  /** What was measured on the workers, and how many there were. */
  readonly workers: { readonly threads: number; readonly rows: readonly MapRow[] };
  /** Left out if there was no GPU. */
  readonly gpu?: AdapterTimes;
}

/** Options of `tune`. */
export interface TuneOptions extends CallOptions {
  /**
   * About how many milliseconds to measure for all curves together, 100 to 600 000. Compiling the GPU's kernels, if
   * they are not compiled yet, comes before.
   *
   * @defaultValue 3000
   */
  readonly maxMs?: number;
  /**
   * The curves to measure.
   *
   * @defaultValue `['bn254']`
   */
  readonly curves?: readonly CurveId[];
}
