import { throwIfAborted } from '../../../base/abort.js';
import { wipe } from '../../../base/free-memory.js';
import { ownMembers } from '../../../base/records.js';
import { sliceOfBatch } from '../../../bases/scalars.js';
import { isShared } from '../../../transport/shared-bytes.js';
import type { BatchScalars } from '../kernel/kernel-instance.js';
import type { KernelPool } from './pool.js';

/** Scalars, or elements of the field of transforms, of one job: a few milliseconds' work. */
export const SLICE_ELEMENTS = 1 << 13;

export interface SliceOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the done fraction, from 0 to 1, after each slice. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * Runs `work` for 0..count in slices of `size`. No more slices are begun than the workers can take next, so that few
 * are copied at a time. When one fails, no more are begun, and the call rejects when all that were begun have ended:
 * none writes into what the caller then overwrites.
 */
export async function eachSlice(
  pool: KernelPool,
  count: number,
  size: number,
  work: (from: number, to: number) => Promise<void>,
  options: SliceOptions = {},
): Promise<void> {
  const { signal, onProgress } = ownMembers(options);
  const slices = Math.ceil(count / size);
  let next = 0;
  let done = 0;
  const takeSlices = async (): Promise<void> => {
    while (next < slices) {
      try {
        throwIfAborted(signal);
        const from = next++ * size;
        await work(from, Math.min(from + size, count));
      } catch (error) {
        next = slices;
        throw error;
      }
      onProgress?.(++done / slices);
    }
  };
  const running = Array.from({ length: 2 * pool.size }, takeSlices);
  await Promise.allSettled(running);
  await Promise.all(running);
}

/** The scalars of several MSMs, MSM after MSM. */
export interface BatchOfScalars {
  readonly scalars: Uint8Array;
  readonly batch: number;
  readonly scalarBytes: number;
}

/** Whether slices of a batch are copied to lie one after another. A single MSM's slices, and shared memory, are not. */
export function isGathered({ scalars, batch }: Pick<BatchOfScalars, 'scalars' | 'batch'>): boolean {
  return batch > 1 && !isShared(scalars);
}

/**
 * Runs `work` for slices from..to of the MSMs' scalars. It gets the slices of all MSMs together, at most `elements`
 * scalars: views of shared memory, elsewhere a copy, which is overwritten afterwards.
 */
export async function eachBatchSlice(
  pool: KernelPool,
  { scalars, batch, scalarBytes }: BatchOfScalars,
  work: (slice: Required<BatchScalars>, from: number, to: number) => Promise<void>,
  signal: AbortSignal | undefined,
  elements = SLICE_ELEMENTS,
): Promise<void> {
  const bytesOfMsm = scalars.length / batch;
  const isCopied = isGathered({ scalars, batch });
  const takeSlice = async (from: number, to: number): Promise<void> => {
    const [begin, end] = [from * scalarBytes, to * scalarBytes];
    if (!isCopied) {
      const view = scalars.subarray(begin, (batch - 1) * bytesOfMsm + end);
      await work({ scalars: view, stride: bytesOfMsm }, from, to);
      return;
    }
    const slice = sliceOfBatch(scalars, batch, from, to, scalarBytes);
    try {
      await work({ scalars: slice, stride: end - begin }, from, to);
    } finally {
      wipe(slice);
    }
  };
  await eachSlice(pool, bytesOfMsm / scalarBytes, Math.ceil(elements / batch), takeSlice, { signal });
}
