import { SharedScalars } from '../../sdk/bases/scalar-vector.js';
import type { GpuScalars } from '../../sdk/executors/gpu/gpu-scalars.js';
import type { GpuConstraints, GpuQuotient, GpuQuotientCall } from '../../sdk/executors/gpu/polynomials/gpu-quotient.js';

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
