import type { ConstraintFacts } from '../../sdk/executors/gpu/polynomials/gpu-quotient.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';

/** The scalars of the sum over H as the workers' kernel computes them. */
export async function quotientOnWorkers(
  kernel: Kernel,
  section: Uint8Array,
  { domainSize }: ConstraintFacts,
  witness: Uint8Array,
): Promise<Uint8Array> {
  const evaluate = async (matrix: 0 | 1): Promise<Uint8Array> => {
    kernel.loadConstraints({ id: 'matrix', matrix, entries: section, domainSize });
    const values = await kernel.evaluateConstraints({ id: 'matrix', witness });
    kernel.releaseConstraints({ id: 'matrix' });
    return values;
  };
  const a = await evaluate(0);
  const b = await evaluate(1);
  const c = await kernel.multiplyElements({ a, b });
  return kernel.multiplySubtract({
    a: await kernel.shiftToCoset({ values: a }),
    b: await kernel.shiftToCoset({ values: b }),
    c: await kernel.shiftToCoset({ values: c }),
  });
}
