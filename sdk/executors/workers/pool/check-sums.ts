import { newBytes } from '../../../base/bytes.js';
import { wipe, wipeAndFree } from '../../../base/free-memory.js';
import { type PointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { type CurveId, type GroupId, SCALAR_BYTES } from '../../../curves/index.js';
import type { CheckScalarsArgs } from '../kernel/check-kernel.js';
import type { KernelPool } from './pool.js';
import { eachBatchSlice } from './slices.js';

/** Points of one job: enough for large windows, few enough that other work soon has its turn. */
const SLICE_POINTS = 1 << 13;

/** What `checkScalars` of the kernel takes, for all points. */
export type CheckScalarsRequest = Omit<CheckScalarsArgs, 'first'>;

/** The check scalars of all points, slice by slice, which the caller overwrites. */
export async function makeCheckScalars(
  pool: KernelPool,
  curve: CurveId,
  { scalars, batch, ...request }: CheckScalarsRequest,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const result = newBytes(scalars.length / batch);
  const make = async (slice: Uint8Array, first: number): Promise<void> => {
    const made = await pool.call(curve, 'checkScalars', { ...request, scalars: slice, batch, first }, { signal });
    result.set(made, first * SCALAR_BYTES);
    wipeAndFree(made);
  };
  try {
    await eachBatchSlice(pool, { scalars, batch, scalarBytes: SCALAR_BYTES }, make, signal);
    return result;
  } catch (error) {
    wipe(result);
    throw error;
  }
}

/** Prepared points. */
export interface MaskedPoints {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly form: PointForm;
  readonly points: Uint8Array;
}

/** The MSM of points and masks, computed in slices in the background; the results are added up. */
export async function makeMaskSums(
  pool: KernelPool,
  { curve, group, form, points }: MaskedPoints,
  key: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array[]> {
  const bytes = preparedPointBytes(curve, group);
  const count = points.length / bytes;
  const sums: Promise<Uint8Array>[] = [];
  for (let first = 0; first < count; first += SLICE_POINTS) {
    const slice = points.subarray(first * bytes, Math.min(first + SLICE_POINTS, count) * bytes);
    sums.push(pool.call(curve, 'maskSum', { group, form, points: slice, key, first }, { signal, background: true }));
  }
  return Promise.all(sums);
}
