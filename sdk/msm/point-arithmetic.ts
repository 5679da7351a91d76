import type { CurveId, GroupId } from '../curves/index.js';

/** The few point operations at the end of a multiplication, wherever they run. Points are affine in the boundary form. */
export interface PointArithmetic {
  /** sum 2^(c w) S_w over window sums, as an affine point. */
  reduceWindows(sums: Uint8Array, windowBits: number): Promise<Uint8Array>;
  /** sum k_i P_i of a few affine points; all k_i = 1 when left out. */
  combine(points: Uint8Array, scalars?: Uint8Array): Promise<Uint8Array>;
  isOnCurve(point: Uint8Array): Promise<boolean>;
}

/** The arithmetic of a group, for a call that the signal may end. */
export type ArithmeticFor = (curve: CurveId, group: GroupId, signal: AbortSignal | undefined) => PointArithmetic;
