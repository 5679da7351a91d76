import { ScalarMasks } from '../bases/scalar-masks.js';
import type { CurveId } from '../curves/index.js';
import { maskScalars } from '../executors/workers/pool/mask-scalars.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';

/** New masks for scalars of a curve, which the workers add. */
export function poolMasks(pool: KernelPool, curve: CurveId): ScalarMasks {
  return new ScalarMasks(curve, (request, signal) => maskScalars(pool, curve, request, signal));
}
