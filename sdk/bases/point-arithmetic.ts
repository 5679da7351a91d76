import { joinBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import type { MsmExecutor, PartialSums } from './backend.js';
import { type BasesOutline, pointForm } from './prepared.js';

/** The few point operations at the end of a multi-scalar multiplication. Points are affine in the boundary form. */
export interface PointArithmetic {
  /** sum 2^(c w) S_w over window sums, as an affine point. */
  reduceWindows(sums: Uint8Array, windowBits: number): Promise<Uint8Array>;
  /** sum k_i P_i of a few affine points; every k_i is 1 if `scalars` is left out. */
  combine(points: Uint8Array, scalars?: Uint8Array): Promise<Uint8Array>;
  /** What partial sums add up to; undefined if that is not on the curve. There is at least one. */
  finish(parts: PartialSums): Promise<Uint8Array | undefined>;
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
      finish: (parts) => {
        const sums =
          parts.kind === 'windows'
            ? { sums: parts.sums, windowBits: parts.windowBits }
            : { sums: joinBytes(parts.points) };
        return pool.call(curve, 'finish', { group, form, ...sums }, options);
      },
    };
  };
}

/** The result of an MSM from its parts, which `executor` computed. `RESULT_INVALID` if it is not on the curve. */
export async function resultOf(
  parts: PartialSums,
  { curve, group }: Pick<BasesOutline, 'curve' | 'group'>,
  arithmetic: PointArithmetic,
  executor: MsmExecutor,
): Promise<Uint8Array> {
  if (parts.kind === 'points' && parts.isResult) return parts.points[0]!;
  if (parts.kind === 'points' && parts.points.length === 0) return new Uint8Array(pointBytes(curve, group));
  const point = await arithmetic.finish(parts);
  if (point !== undefined) return point;
  throw new PippinError('RESULT_INVALID', `expected a point of ${curve} from ${executor}, got one off the curve`);
}
