import type { GpuScalars } from '../../sdk/gpu/gpu-scalars.js';
import type { GpuConstraints, GpuQuotient, GpuQuotientCall } from '../../sdk/gpu/quotient/gpu-quotient.js';
import { SharedScalars } from '../../sdk/msm/scalar-vector.js';

/** The quotient of a witness that nothing else needs. */
export async function quotientOfWitness(
  quotient: GpuQuotient,
  constraints: GpuConstraints,
  witness: Uint8Array,
  call: GpuQuotientCall = {},
): Promise<GpuScalars> {
  const shared = new SharedScalars(witness);
  try {
    return await quotient.compute(constraints, shared, call);
  } finally {
    shared.release();
  }
}
