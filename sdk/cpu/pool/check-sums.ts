import { type CurveId, type GroupId, SCALAR_BYTES } from '../../curves/index.js';
import { newBytes } from '../../field/bytes.js';
import { type PointForm, preparedPointBytes } from '../../msm/prepared.js';
import { sliceOfBatch } from '../../msm/scalars.js';
import { freeMemory, wipe } from '../../transport/free-memory.js';
import type { CheckScalarsArgs } from '../kernel/check-kernel.js';
import type { KernelPool } from './pool.js';

/** Scalars of one job: some milliseconds' work. */
const SLICE_SCALARS = 1 << 13;
/** Points of one job: enough for large windows, few enough that other work soon has its turn. */
const SLICE_POINTS = 1 << 13;

/** What `checkScalars` of the kernel takes, for all points. */
export type CheckScalarsRequest = Omit<CheckScalarsArgs, 'first'>;

/** The check scalars of all points, slice by slice, which the caller overwrites. No more slices are copied than the workers can take next. */
export async function makeCheckScalars(
  pool: KernelPool,
  curve: CurveId,
  { scalars, batch, ...request }: CheckScalarsRequest,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const count = scalars.length / (batch * SCALAR_BYTES);
  const result = newBytes(count * SCALAR_BYTES);
  const points = Math.ceil(SLICE_SCALARS / batch);
  let next = 0;
  const takeSlices = async (): Promise<void> => {
    while (next < count) {
      const first = next;
      next += points;
      const slice = sliceOfBatch(scalars, batch, first, Math.min(first + points, count), SCALAR_BYTES);
      const making = pool.call(curve, 'checkScalars', { ...request, scalars: slice, batch, first }, { signal });
      const made = await making.finally(() => batch > 1 && wipe(slice));
      result.set(made, first * SCALAR_BYTES);
      wipe(made);
      freeMemory(made);
    }
  };
  try {
    await Promise.all(Array.from({ length: 2 * pool.size }, takeSlices));
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

/** Sums of slices of points, each point times its mask, in the background. The sum of all is theirs. */
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
