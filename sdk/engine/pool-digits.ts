import type { CurveId } from '../curves/index.js';
import type { CutDigits } from '../executors/gpu/msm/gpu-msm.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';

/** Cuts the digits of a curve's scalars on any idle worker. */
export function poolDigits(pool: KernelPool): (curve: CurveId) => CutDigits {
  return (curve) => (request, signal) => pool.call(curve, 'cutDigits', request, { signal });
}
