import type { ArithmeticFor } from '../bases/point-arithmetic.js';
import { pointForm } from '../bases/prepared.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';

/** The last steps of a multi-scalar multiplication, on any idle worker. */
export function poolArithmetic(pool: KernelPool): ArithmeticFor {
  return (curve, group, signal) => {
    const options = { signal, urgent: true };
    const form = pointForm(curve);
    return {
      reduceWindows: (sums, windowBits) =>
        pool.call(curve, 'reduceWindows', { group, form, sums, windowBits }, options),
      combine: (points, scalars) => pool.call(curve, 'combine', { group, points, scalars }, options),
      isOnCurve: (point) => pool.call(curve, 'isOnCurve', { group, point }, options),
    };
  };
}
