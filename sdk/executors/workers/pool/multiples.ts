import { throwIfAborted } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import { freeMemory } from '../../../base/free-memory.js';
import type { MultiplesPlan } from '../../../bases/multiples.js';
import { type BasesOutline, preparedPointBytes } from '../../../bases/prepared.js';
import type { KernelPool } from './pool.js';

/**
 * Points whose multiples one call computes: some tens of milliseconds' work, for which another job may have to wait.
 */
const SLICE_POINTS = 1 << 10;

export interface MultiplesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Awaited before each slice, so that other work can go first. */
  readonly turn?: (() => Promise<void>) | undefined;
}

/**
 * The multiples of prepared bases beside the bases themselves: multiple 1 of all points, then multiple 2, and so on.
 * Each worker takes one slice of the points after another, in the background. undefined if a point has no such
 * multiples, because it is outside the subgroup of prime order. `OUT_OF_MEMORY` when there is no room for them here.
 */
export async function computeMultiples(
  pool: KernelPool,
  { curve, group, form, kept }: BasesOutline,
  points: Uint8Array,
  plan: MultiplesPlan,
  { signal, onProgress, turn }: MultiplesOptions = {},
): Promise<Uint8Array | undefined> {
  const bytes = preparedPointBytes(curve, group);
  const { windowBits, rows, multiples } = plan;
  const result = allocate((multiples - 1) * kept * bytes);
  const slices = Math.ceil(kept / SLICE_POINTS);
  let next = 0;
  let done = 0;
  let isComplete = true;
  const takeSlices = async (): Promise<void> => {
    while (next < slices && isComplete) {
      const from = next++ * SLICE_POINTS;
      await turn?.();
      throwIfAborted(signal);
      const count = Math.min(SLICE_POINTS, kept - from);
      const slice = points.subarray(from * bytes, (from + count) * bytes);
      const args = { group, form, points: slice, windowBits, rows, multiples };
      const made = await pool.call(curve, 'multiples', args, { signal, background: true });
      if (made === undefined) {
        isComplete = false;
        return;
      }
      for (let j = 0; j + 1 < multiples; j++) {
        result.set(made.subarray(j * count * bytes, (j + 1) * count * bytes), (j * kept + from) * bytes);
      }
      freeMemory(made);
      onProgress?.(++done / slices);
    }
  };
  await Promise.all(Array.from({ length: pool.size }, takeSlices));
  return isComplete ? result : undefined;
}

function allocate(bytes: number): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new PippinError('OUT_OF_MEMORY', `expected ${bytes} bytes for multiples of bases, got none`, { cause });
  }
}
