import { maskScalars } from '../cpu/pool/mask-scalars.js';
import type { KernelPool } from '../cpu/pool/pool.js';
import type { CurveId } from '../curves/index.js';
import { ScalarMasks } from '../msm/scalar-masks.js';

/** New masks for scalars of a curve, which the workers add. */
export function poolMasks(pool: KernelPool, curve: CurveId): ScalarMasks {
  return new ScalarMasks(curve, (request, signal) => maskScalars(pool, curve, request, signal));
}
