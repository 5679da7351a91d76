import { freeMemory } from '../../../base/free-memory.js';
import { type ExceptionalPoint, type PreparedBases, pointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { type CurveId, type GroupId, pointBytes } from '../../../curves/index.js';
import type { ByteSource } from '../../../files/byte-source.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import type { PointEncoding } from '../kernel/point-kernel.js';
import type { KernelPool } from './pool.js';
import { eachSlice, type SliceOptions } from './slices.js';

/**
 * Points that a kernel checks and converts in one call: enough to amortise the call, few enough to share the work out
 * evenly.
 */
const SLICE_POINTS = 1 << 13;

export interface PrepareRequest {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly encoding: PointEncoding;
  readonly count: number;
  /** The number of the first point in messages; 0 by default. */
  readonly firstIndex?: number | undefined;
  /** The bytes of the points. */
  readonly points: ByteSource;
}

/**
 * The kept part of a slice of points. Its points are written at first to where they would be if no slice before it had
 * dropped any.
 */
interface Slice {
  readonly kept: number;
  readonly indices: Uint32Array | undefined;
  readonly exceptional: readonly ExceptionalPoint[];
}

/**
 * Checks and converts points on the workers, slice by slice. No more slices are read than the workers can take next.
 */
export async function prepareBases(
  pool: KernelPool,
  { curve, group, encoding, count, firstIndex = 0, points: source }: PrepareRequest,
  options: SliceOptions = {},
): Promise<PreparedBases> {
  const { signal } = options;
  const form = pointForm(curve, group);
  const [bytes, preparedBytes] = [pointBytes(curve, group), preparedPointBytes(curve, group)];
  const points = new Uint8Array(count * preparedBytes);
  const slices = new Array<Slice>(Math.ceil(count / SLICE_POINTS));
  const prepare = async (from: number, to: number): Promise<void> => {
    const part = await retryOnDeadWorker(async () => {
      const given = await source.read(from * bytes, (to - from) * bytes);
      const args = { group, form, encoding, points: given, firstIndex: firstIndex + from };
      return pool.call(curve, 'prepareBases', args, { signal, moved: true });
    });
    points.set(part.points, from * preparedBytes);
    freeMemory(part.points);
    slices[from / SLICE_POINTS] = part;
  };
  await eachSlice(pool, count, SLICE_POINTS, prepare, options);
  return { curve, group, form, count, ...closeGaps(points, slices, count, preparedBytes) };
}

/**
 * A function that prepares the points of a request again. It is made here, and not where they are prepared first, so
 * that its closure does not keep the first result in memory.
 */
export function repreparePoints(pool: KernelPool, request: PrepareRequest): () => Promise<Uint8Array> {
  return async () => (await prepareBases(pool, request)).points;
}

/** Moves the kept points of all slices together. The indices of each slice are relative to its first point. */
function closeGaps(
  points: Uint8Array,
  slices: readonly Slice[],
  count: number,
  preparedBytes: number,
): Pick<PreparedBases, 'kept' | 'points' | 'indices' | 'exceptional'> {
  const kept = slices.reduce((sum, slice) => sum + slice.kept, 0);
  const indices = kept === count ? undefined : new Uint32Array(kept);
  const exceptional: ExceptionalPoint[] = [];
  let at = 0;
  for (const [number, slice] of slices.entries()) {
    const first = number * SLICE_POINTS;
    points.copyWithin(at * preparedBytes, first * preparedBytes, (first + slice.kept) * preparedBytes);
    for (let i = 0; indices !== undefined && i < slice.kept; i++) indices[at + i] = first + (slice.indices?.[i] ?? i);
    at += slice.kept;
    for (const { index, point } of slice.exceptional) exceptional.push({ index: first + index, point });
  }
  return { kept, points: points.subarray(0, kept * preparedBytes), indices, exceptional };
}
