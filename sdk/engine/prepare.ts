import type { PointEncoding, PreparedPart } from '../cpu/kernel-api.js';
import type { KernelPool } from '../cpu/pool.js';
import { type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import { throwIfAborted } from '../errors.js';
import { type ExceptionalPoint, type PreparedBases, pointForm } from '../msm/prepared.js';
import { freeMemory } from '../transport/free-memory.js';

/** Points that a kernel checks and converts in one go: large enough to amortise the call, small enough to share out. */
const SLICE_POINTS = 1 << 13;

export interface PrepareRequest {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly encoding: PointEncoding;
  readonly count: number;
  /** Reads bytes of the points. */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
}

/** Checks and converts points on the workers, slice by slice, reading no further ahead than the workers can take. */
export async function prepareBases(
  pool: KernelPool,
  request: PrepareRequest,
  options: { signal?: AbortSignal | undefined; onProgress?: ((fraction: number) => void) | undefined } = {},
): Promise<PreparedBases> {
  const { curve, group, encoding, count } = request;
  const form = pointForm(curve);
  const bytes = pointBytes(curve, group);
  const slices = Math.ceil(count / SLICE_POINTS);
  const parts = new Array<PreparedPart>(slices);
  let next = 0;
  let done = 0;
  const takeSlices = async (): Promise<void> => {
    while (next < slices) {
      throwIfAborted(options.signal);
      const slice = next++;
      const from = slice * SLICE_POINTS;
      const points = await request.read(from * bytes, Math.min(SLICE_POINTS, count - from) * bytes);
      parts[slice] = await pool.call(curve, 'prepareBases', [group, form, encoding, points, from], {
        signal: options.signal,
      });
      options.onProgress?.(++done / slices);
    }
  };
  await Promise.all(Array.from({ length: 2 * pool.size }, takeSlices));
  return { curve, group, form, count, ...mergeParts(parts, count) };
}

/** Puts the prepared slices together; the indices of each are relative to its first point. */
function mergeParts(
  parts: readonly PreparedPart[],
  count: number,
): Pick<PreparedBases, 'kept' | 'points' | 'indices' | 'exceptional'> {
  const kept = parts.reduce((sum, part) => sum + part.kept, 0);
  const points = new Uint8Array(parts.reduce((sum, part) => sum + part.points.length, 0));
  const indices = kept === count ? undefined : new Uint32Array(kept);
  const exceptional: ExceptionalPoint[] = [];
  let pointsAt = 0;
  let indexAt = 0;
  for (const [slice, part] of parts.entries()) {
    const first = slice * SLICE_POINTS;
    points.set(part.points, pointsAt);
    pointsAt += part.points.length;
    freeMemory(part.points);
    for (let i = 0; indices !== undefined && i < part.kept; i++) {
      indices[indexAt++] = first + (part.indices === undefined ? i : part.indices[i]!);
    }
    for (const { index, point } of part.exceptional) exceptional.push({ index: first + index, point });
  }
  return { kept, points, indices, exceptional };
}
