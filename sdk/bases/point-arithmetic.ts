import type { CurveId, GroupId } from '../curves/index.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import { pointForm } from './prepared.js';

/** The few point operations at the end of a multi-scalar multiplication. Points are affine in the boundary form. */
export interface PointArithmetic {
  /** sum 2^(c w) S_w over window sums, as an affine point. */
  reduceWindows(sums: Uint8Array, windowBits: number): Promise<Uint8Array>;
  /** sum k_i P_i of a few affine points; every k_i is 1 if `scalars` is left out. */
  combine(points: Uint8Array, scalars?: Uint8Array): Promise<Uint8Array>;
  isOnCurve(point: Uint8Array): Promise<boolean>;
}

/** Gives the arithmetic of a group, for a call that the signal may abort. */
export type ArithmeticFor = (curve: CurveId, group: GroupId, signal: AbortSignal | undefined) => PointArithmetic;

/** The last steps of a multi-scalar multiplication, on any idle worker. */
export function poolArithmetic(pool: KernelPool): ArithmeticFor {
  return (curve, group, signal) => {
    const options = { signal, urgent: true };
    const form = pointForm(curve, group);
    return {
      reduceWindows: (sums, windowBits) =>
        pool.call(curve, 'reduceWindows', { group, form, sums, windowBits }, options),
      combine: (points, scalars) => pool.call(curve, 'combine', { group, points, scalars }, options),
      isOnCurve: (point) => pool.call(curve, 'isOnCurve', { group, point }, options),
    };
  };
}
