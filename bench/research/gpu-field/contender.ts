import type { CurveId } from '../../../sdk/curves/index.js';

/** How much work a run does. */
export interface Sizes {
  readonly productThreads: number;
  /** Products in a chain. */
  readonly products: number;
  /** Inversions in a chain. */
  readonly inversions: number;
  readonly additionThreads: number;
  /** Additions in a chain. */
  readonly additions: number;
  /** Independent additions with shared inversions, in all threads together. */
  readonly pairs: number;
  /** Points from which threads choose theirs; a power of two. */
  readonly points: number;
  /** Timed runs. */
  readonly runs: number;
}

export const FULL: Sizes = {
  productThreads: 2 ** 20,
  products: 128,
  inversions: 4,
  additionThreads: 2 ** 20,
  additions: 32,
  pairs: 2 ** 24,
  points: 2 ** 18,
  runs: 5,
};

/** For software adapters: the same chains in few threads, only to check results. */
export const QUICK: Sizes = {
  ...FULL,
  productThreads: 256,
  additionThreads: 64,
  pairs: 0,
  points: 2 ** 10,
  runs: 1,
};

/** A kernel to check and to time. */
export interface Contender {
  readonly curve: CurveId;
  readonly work: 'product' | 'inversion' | 'addition';
  readonly name: string;
  /** The whole WGSL. */
  readonly code: string;
  readonly input: Uint32Array<ArrayBuffer>;
  readonly params: {
    readonly limbs: number;
    readonly count: number;
    readonly pointMask?: number;
    readonly steps?: number;
    readonly turns?: number;
  };
  readonly threads: number;
  /** Why the result is wrong on software adapters; undefined if it is right there. */
  readonly hardwareOnly?: string;
  /** Words of the third storage buffer, if the kernel has one. */
  readonly scratchWords?: number;
  /** Words of the output. By default it holds the kept results and then one digest word for every thread. */
  readonly outputWords?: number;
  /**
   * The number of threads, from the first one on, whose whole results are kept and checked; and the words of such a
   * result.
   */
  readonly kept: number;
  readonly keptWords: number;
  /** Operations of one thread. */
  readonly products: number;
  readonly additions: number;
  readonly inversions?: number;
  /** Throws when a kept result is wrong. */
  readonly check: (kept: Uint32Array) => void;
}
