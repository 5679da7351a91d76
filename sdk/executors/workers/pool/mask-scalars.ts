import { newBytes } from '../../../base/bytes.js';
import { wipe, wipeAndFree } from '../../../base/free-memory.js';
import { CURVES, type CurveId } from '../../../curves/index.js';
import type { MaskScalarsArgs } from '../kernel/scalar-forms-kernel.js';
import type { KernelPool } from './pool.js';
import { eachBatchSlice } from './slices.js';

/** Each scalar plus its mask, slice by slice, which the caller overwrites. */
export async function maskScalars(
  pool: KernelPool,
  curve: CurveId,
  { scalars, first, ...masks }: MaskScalarsArgs,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { scalarBytes } = CURVES[curve];
  const batch = masks.factors.length / scalarBytes;
  const stride = scalars.length / batch;
  const masked = newBytes(scalars.length);
  const mask = async (slice: Uint8Array, from: number, to: number): Promise<void> => {
    const args = { ...masks, scalars: slice, first: first + from };
    const made = await pool.call(curve, 'maskScalars', args, { signal, urgent: true });
    const bytes = (to - from) * scalarBytes;
    for (let m = 0; m < batch; m++) {
      masked.set(made.subarray(m * bytes, (m + 1) * bytes), m * stride + from * scalarBytes);
    }
    wipeAndFree(made);
  };
  try {
    await eachBatchSlice(pool, { scalars, batch, scalarBytes }, mask, signal);
    return masked;
  } catch (error) {
    wipe(masked);
    throw error;
  }
}
