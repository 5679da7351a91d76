import { type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { freeMemory } from '../../transport/free-memory.js';
import type { KernelPool } from './pool.js';

/** Bytes of an operand that a worker is given at a time. */
const SLICE_BYTES = 8192 * SCALAR_BYTES;

/**
 * An operation that computes element i from the i-th elements of its operands, on as many workers as are idle, slice by slice. `target` has
 * the operands' length and may be one of them: a slice of them is sent before its result is written.
 */
export async function elementwise(
  pool: KernelPool,
  curve: CurveId,
  method: 'multiplyElements' | 'quotient',
  operands: readonly Uint8Array[],
  target: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  const slices: Promise<void>[] = [];
  for (let from = 0; from < target.length; from += SLICE_BYTES) {
    const compute = async (): Promise<void> => {
      const slice = operands.map((operand) => operand.subarray(from, from + SLICE_BYTES));
      const result = await pool.call(curve, method, slice as [Uint8Array, Uint8Array, Uint8Array], {
        signal,
        urgent: true,
      });
      target.set(result, from);
      freeMemory(result);
    };
    slices.push(compute());
  }
  await Promise.all(slices);
}
