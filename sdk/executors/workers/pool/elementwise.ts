import { wipeAndFree } from '../../../base/free-memory.js';
import { CURVES, type CurveId } from '../../../curves/index.js';
import type { KernelArguments } from '../kernel/kernel-host.js';
import type { KernelPool } from './pool.js';

/** Elements of each operand that one call sends to a worker. */
const SLICE = 8192;

/** The kernel's methods that compute element i of their result from the i-th elements of their operands. */
type ElementwiseMethod = 'multiplyElements' | 'quotient' | 'canonicalScalars';

/**
 * Runs an element-wise method on scalars or elements of as many bytes slice by slice on as many workers as are idle. `target` has the operands' length and may be one of them: a
 * slice of the operands is sent before its result is written.
 */
export async function elementwise<M extends ElementwiseMethod>(
  pool: KernelPool,
  curve: CurveId,
  method: M,
  operands: KernelArguments<M>,
  target: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  const slices: Promise<void>[] = [];
  const bytes = SLICE * CURVES[curve].scalarBytes;
  for (let from = 0; from < target.length; from += bytes) {
    const compute = async (): Promise<void> => {
      const slice = Object.fromEntries(
        Object.entries(operands).map(([name, operand]) => [name, operand.subarray(from, from + bytes)]),
      ) as KernelArguments<M>;
      const result = await pool.call(curve, method, slice, { signal, urgent: true });
      target.set(result, from);
      wipeAndFree(result);
    };
    slices.push(compute());
  }
  // All of them, also when one fails: none is to write into the target when the caller has overwritten it.
  await Promise.allSettled(slices);
  await Promise.all(slices);
}
