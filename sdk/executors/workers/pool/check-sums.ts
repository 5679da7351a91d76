import { wipe } from '../../../base/free-memory.js';
import { type PointForm, preparedPointBytes } from '../../../bases/prepared.js';
import type { ScalarPieces } from '../../../bases/scalar-vector.js';
import { type CurveId, type GroupId, SCALAR_BYTES } from '../../../curves/index.js';
import type { CheckScalarsArgs } from '../kernel/check-kernel.js';
import type { KernelPool } from './pool.js';
import { eachBatchSlice, SLICE_ELEMENTS } from './slices.js';

/** Points of one job: enough for large windows, few enough that other work soon has its turn. */
const SLICE_POINTS = 1 << 13;

/**
 * Scalars of one job of a single MSM: the worker's share where possible, since the coordinator, which hands out the
 * jobs, is busy with the upload to the GPU.
 */
const FEWEST_SCALARS = 1 << 11;
const MOST_SCALARS = 1 << 16;

/** What `checkScalars` of the kernel takes, for all points. */
export type CheckScalarsRequest = Omit<CheckScalarsArgs, 'first'>;

/**
 * The check scalars of all points, as the workers make them slice by slice. The caller overwrites them. To gather tens
 * of megabytes in one array would take the coordinator longer than the GPU takes for the MSM.
 */
export async function makeCheckScalars(
  pool: KernelPool,
  curve: CurveId,
  { scalars, batch, ...request }: CheckScalarsRequest,
  signal: AbortSignal | undefined,
): Promise<ScalarPieces> {
  const made: { readonly first: number; readonly piece: Uint8Array }[] = [];
  const make = async (slice: Uint8Array, first: number): Promise<void> => {
    const piece = await pool.call(curve, 'checkScalars', { ...request, scalars: slice, batch, first }, { signal });
    made.push({ first, piece });
  };
  try {
    const share = Math.ceil(scalars.length / SCALAR_BYTES / pool.size);
    const elements = batch > 1 ? SLICE_ELEMENTS : Math.min(Math.max(share, FEWEST_SCALARS), MOST_SCALARS);
    await eachBatchSlice(pool, { scalars, batch, scalarBytes: SCALAR_BYTES }, make, signal, elements);
  } catch (error) {
    wipe(...made.map(({ piece }) => piece));
    throw error;
  }
  const pieces = made.toSorted((one, other) => one.first - other.first).map(({ piece }) => piece);
  const count = Math.max(1, scalars.length / (batch * SCALAR_BYTES));
  return { kind: 'pieces', pieces, scalarBytes: pieces.reduce((sum, { length }) => sum + length, 0) / count };
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
