import { wipe } from '../../../base/free-memory.js';
import { sliceOfBatch } from '../../../bases/scalars.js';
import { eachSlice } from './each-slice.js';
import type { KernelPool } from './pool.js';

/** Scalars of one job: some milliseconds' work. */
const SLICE_SCALARS = 1 << 13;

/** The scalars of several multiplications, those of one after those of another. */
export interface BatchOfScalars {
  readonly scalars: Uint8Array;
  readonly batch: number;
  readonly scalarBytes: number;
}

/**
 * Runs `work` for slices from..to of the multiplications' scalars. It is given those of all multiplications together, which are overwritten
 * afterwards where they are a copy.
 */
export async function eachBatchSlice(
  pool: KernelPool,
  { scalars, batch, scalarBytes }: BatchOfScalars,
  work: (slice: Uint8Array, from: number, to: number) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const count = scalars.length / (batch * scalarBytes);
  const takeSlice = async (from: number, to: number): Promise<void> => {
    const slice = sliceOfBatch(scalars, batch, from, to, scalarBytes);
    try {
      await work(slice, from, to);
    } finally {
      if (batch > 1) wipe(slice);
    }
  };
  await eachSlice(pool, count, Math.ceil(SLICE_SCALARS / batch), takeSlice, { signal });
}
