import { CURVES, type CurveId } from '../../curves/index.js';
import { sliceOfBatch } from '../../msm/scalars.js';
import { freeMemory } from '../../transport/free-memory.js';
import type { MaskScalarsArgs } from '../kernel/scalar-kernel.js';
import type { KernelPool } from './pool.js';

/** Scalars of one job: some milliseconds' work. */
const SLICE_SCALARS = 1 << 13;

/** Each scalar plus its mask, slice by slice. No more slices are copied than the workers can take next. */
export async function maskScalars(
  pool: KernelPool,
  curve: CurveId,
  { scalars, first, ...masks }: MaskScalarsArgs,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { scalarBytes } = CURVES[curve];
  const batch = masks.factors.length / scalarBytes;
  const count = scalars.length / (batch * scalarBytes);
  const points = Math.ceil(SLICE_SCALARS / batch);
  const masked = new Uint8Array(scalars.length);
  let next = 0;
  const takeSlices = async (): Promise<void> => {
    while (next < count) {
      const from = next;
      const to = Math.min(from + points, count);
      next = to;
      const slice = sliceOfBatch(scalars, batch, from, to, scalarBytes);
      const args = { ...masks, scalars: slice, first: first + from };
      const made = await pool.call(curve, 'maskScalars', args, { signal, urgent: true });
      const bytes = (to - from) * scalarBytes;
      for (let m = 0; m < batch; m++) {
        masked.set(made.subarray(m * bytes, (m + 1) * bytes), (m * count + from) * scalarBytes);
      }
      freeMemory(made);
    }
  };
  await Promise.all(Array.from({ length: 2 * pool.size }, takeSlices));
  return masked;
}
