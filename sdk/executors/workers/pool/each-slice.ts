import { throwIfAborted } from '../../../base/abort.js';
import { ownMembers } from '../../../base/is-object.js';
import type { KernelPool } from './pool.js';

export interface SliceOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the done fraction, from 0 to 1, after each slice. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Runs `work` for 0..count in slices of `size`. No more slices are begun than the workers can take next, so that few are copied at a time. */
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
      throwIfAborted(signal);
      const from = next++ * size;
      await work(from, Math.min(from + size, count));
      onProgress?.(++done / slices);
    }
  };
  await Promise.all(Array.from({ length: 2 * pool.size }, takeSlices));
}
