import type { CurveId } from '../curves/index.js';
import type { RowPlan } from './backend.js';
import type { CheckWeights } from './check-weights.js';
import type { BasesOutline } from './prepared.js';

/** Scalars whose sums are to be checked, and what the check draws for them. */
export interface CheckRequest {
  readonly curve: CurveId;
  /** 32 bytes each, those of one multiplication after those of another. */
  readonly scalars: Uint8Array;
  readonly batch: number;
  readonly plan: RowPlan;
  readonly weights: CheckWeights;
  /** From which the masks of the points follow. */
  readonly key: Uint8Array;
}

/** What trusted executors compute for the check of sums (docs/strategies/checked-sums.md). Points are affine, in the boundary form. */
export interface CheckArithmetic {
  /** The sum of prepared points, each times its mask. */
  maskSum(
    bases: BasesOutline,
    points: Uint8Array,
    key: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array>;
  /** The check scalar of each point, 32 bytes. */
  checkScalars(request: CheckRequest, signal: AbortSignal | undefined): Promise<Uint8Array>;
  /**
   * The sum of rows, each times its weight, a u64 below 2^40. `sums` are those of the rows' bits, `bits` of each row; undefined if one is no
   * point of the curve.
   */
  combineRows(
    bases: Pick<BasesOutline, 'curve' | 'group' | 'form'>,
    sums: Uint8Array,
    bits: number,
    weights: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined>;
}
