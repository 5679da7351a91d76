import { wipeAndFree } from '../../../base/free-memory.js';
import { CURVES, type CurveId } from '../../../curves/index.js';
import type { KernelArguments } from '../kernel/kernel-host.js';
import type { KernelPool } from './pool.js';
import { eachSlice, SLICE_ELEMENTS } from './slices.js';

/** The kernel's methods that compute element i of their result from the i-th elements of their operands. */
type ElementwiseMethod = 'multiplyElements' | 'multiplySubtract' | 'canonicalScalars';

/** What `elementwise` computes, and where it goes. The target has the operands' length, and may be one of them. */
interface ElementwiseWork<M extends ElementwiseMethod> {
  readonly method: M;
  readonly operands: KernelArguments<M>;
  readonly target: Uint8Array;
}

/**
 * Runs an element-wise method on scalars, or on elements of as many bytes, slice by slice on as many workers as are
 * idle.
 */
export async function elementwise<M extends ElementwiseMethod>(
  pool: KernelPool,
  curve: CurveId,
  { method, operands, target }: ElementwiseWork<M>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { scalarBytes } = CURVES[curve];
  const compute = async (from: number, to: number): Promise<void> => {
    const slice = Object.fromEntries(
      Object.entries(operands).map(([name, operand]) => [name, operand.subarray(from * scalarBytes, to * scalarBytes)]),
    ) as KernelArguments<M>;
    const result = await pool.call(curve, method, slice, { signal, urgent: true });
    target.set(result, from * scalarBytes);
    wipeAndFree(result);
  };
  await eachSlice(pool, target.length / scalarBytes, SLICE_ELEMENTS, compute, { signal });
}

/**
 * Brings scalars below r from Montgomery form with R = 2^(8 scalarBytes) to canonical form, in place and slice by slice
 * on the workers.
 */
export async function canonicalScalars(
  pool: KernelPool,
  curve: CurveId,
  scalars: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  await elementwise(pool, curve, { method: 'canonicalScalars', operands: { scalars }, target: scalars }, signal);
}
