import type { CurveId } from '../../../sdk/curves/index.js';
import type { MsmPlan } from '../../../sdk/executors/gpu/msm/plan.js';
import type { MsmArithmetic, MsmBuffer } from '../../../sdk/executors/gpu/msm/stages/msm-stage.js';
import type { PassChunk } from '../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { type Dispatch, type SizedKernel, stageDefiner } from '../../../sdk/executors/gpu/runtime/stage.js';
import type { Step } from '../../../sdk/executors/gpu/runtime/steps.js';

/** The scratch buffers of a strategy: those of the shipped pipeline, and some of its own. */
export type StrategyBuffer =
  | MsmBuffer
  /** Sums in the form of `buckets`. */
  | 'partials'
  | 'others'
  /** For each thread the bucket in which its share of the sorted list begins. */
  | 'firstBuckets'
  /** Affine points in the form of bases. */
  | 'points'
  | 'nextPoints'
  /** Running products of the denominators that share an inversion. */
  | 'products'
  /** The additions of a level, their number for each level, and the products of each thread's denominators. */
  | 'pairs'
  | 'pairCounts'
  | 'totals'
  /** What levels of additions leave, in the form of `counters`, `ranks` and `sorted`; ranks with their buckets. */
  | 'leftCounters'
  | 'leftRanks'
  | 'leftSorted';

/** A kernel of a strategy, without its dispatches. */
export type StrategyKernel = SizedKernel<StrategyBuffer, MsmPlan>;

/** Declares a stage of a strategy. */
export const defineStrategyStage = stageDefiner<StrategyBuffer, MsmPlan, MsmArithmetic>();

/** What a multiplication is asked for. */
export interface Task {
  readonly curve: CurveId;
  /** Canonical scalars of 32 bytes. */
  readonly scalars: Uint8Array;
}

/**
 * A part of a multiplication: its kernels, and the steps of a pass over all points. Every pass has the same steps, for
 * other rows.
 */
export interface Part {
  readonly kernels: readonly StrategyKernel[];
  steps(chunk: PassChunk, task: Task): Iterable<Step<StrategyBuffer>>;
}

/** The part that leaves the result. */
export interface Reduction extends Part {
  /** What lies in `bitSums` for each row: `windowBits` sums of single bits, or the sum of the row. */
  readonly leaves: 'bits' | 'row sums';
}

/** The parts of a multiplication, in the order of their work. */
export interface Parts {
  /** Brings the scalars, and lists what each bucket gets: the buffers `counters` and `sorted`. */
  readonly sort: Part;
  /** Adds the points of the sorted list up in `buckets`, where zeros stand for the sum of no point. */
  readonly accumulate: Part;
  readonly reduce: Reduction;
}

/** A way to multiply: the parts in which it differs from the shipped pipeline. */
export interface Strategy {
  readonly name: string;
  /** The part that it replaces. */
  readonly replaces: 'nothing' | 'digits' | 'accumulation' | 'reduction' | 'accumulation and reduction';
  /** Who published it, and where. */
  readonly source: string;
  readonly parts: (curve: CurveId) => Partial<Parts>;
  /** Left out where it works on every curve. */
  readonly isFor?: (curve: CurveId) => boolean;
  /** Windows of more bits than these are not for it. */
  readonly maxWindowBits?: number;
  /** Precomputed multiples by which several windows share a row of buckets (`MsmPlan.multiples`); 1 when left out. */
  readonly multiples?: number;
  /** How the scalars are cut, where that differs from the shipped plan. */
  readonly shape?: (plan: MsmPlan, curve: CurveId) => MsmPlan;
  /**
   * The number of copies of the bases, the points themselves among them, and the doublings from one copy to the next.
   * By default as many as the plan has multiples. A copy lies `MsmPlan.points` bases behind the one before.
   */
  readonly copies?: (plan: MsmPlan) => Copies;
  /** Releases what outlives a multiplication. */
  readonly close?: () => Promise<void>;
}

export interface Copies {
  readonly count: number;
  readonly doublings: number;
}

export function clear(buffer: StrategyBuffer): Step<StrategyBuffer> {
  return { kind: 'clear', buffer };
}

export function* run(dispatches: readonly Dispatch<StrategyBuffer>[]): Generator<Step<StrategyBuffer>, void> {
  for (const dispatch of dispatches) yield { kind: 'dispatch', dispatch };
}
