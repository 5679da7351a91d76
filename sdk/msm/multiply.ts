import { pointBytes, SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { joinBytes } from '../field/bytes.js';
import type { MsmBackend, MsmOptions, MsmParts, ResidentBases } from './backend.js';
import type { BasesOutline } from './prepared.js';
import { gatherScalars } from './scalars.js';

/** The few point operations at the end of a multiplication, wherever they run. */
export interface PointArithmetic {
  /** sum 2^(c w) S_w over window sums, as an affine point. */
  reduceWindows(sums: Uint8Array, windowBits: number): Promise<Uint8Array>;
  /** sum k_i P_i of a few affine points; all k_i = 1 when left out. */
  combine(points: Uint8Array, scalars?: Uint8Array): Promise<Uint8Array>;
  isOnCurve(point: Uint8Array): Promise<boolean>;
}

/**
 * Most multiplications given to a backend at a time: each leaves 32 to 49 KB of window sums on a GPU, all of which are read back
 * together.
 */
const MAX_TOGETHER = 256;

/**
 * `batch` times sum k_i P_i, over the same points, as affine points in the boundary form: the backend sums the prepared
 * points, then the parts are put together, the exceptional points' share is added, and every result is checked to be on the
 * curve (`RESULT_INVALID`). `scalars` has 32 bytes for each point as given, multiplication after multiplication, already
 * checked.
 */
export async function multiplyBatch<Bases extends ResidentBases>(
  backend: MsmBackend<Bases>,
  resident: Bases,
  bases: BasesOutline,
  scalars: Uint8Array,
  batch: number,
  arithmetic: PointArithmetic,
  options: MsmOptions = {},
): Promise<Uint8Array[]> {
  const { onProgress } = options;
  const bytes = scalars.length / batch;
  const results: Uint8Array[] = [];
  for (let from = 0; from < batch; from += MAX_TOGETHER) {
    const count = Math.min(batch - from, MAX_TOGETHER);
    const some = scalars.subarray(from * bytes, (from + count) * bytes);
    const parts = await backend.multiplyBatch(resident, gatherScalars(bases, some, count), count, {
      ...options,
      onProgress: onProgress && ((fraction) => onProgress((from + fraction * count) / batch)),
    });
    const finished = parts.map((part, i) =>
      finish(part, bases, some.subarray(i * bytes, (i + 1) * bytes), arithmetic, backend.kind),
    );
    results.push(...(await Promise.all(finished)));
  }
  return results;
}

/** A multiplication's result from its parts. */
async function finish(
  parts: MsmParts,
  bases: BasesOutline,
  scalars: Uint8Array,
  arithmetic: PointArithmetic,
  kind: MsmBackend['kind'],
): Promise<Uint8Array> {
  const points = await affinePoints(parts, arithmetic);
  if (bases.exceptional.length > 0) points.push(await exceptionalShare(bases, scalars, arithmetic));
  const result = await sum(points, bases, arithmetic);
  if (!(await arithmetic.isOnCurve(result))) {
    throw new PippinError('RESULT_INVALID', `expected a point of ${bases.curve} from ${kind}, got one off the curve`);
  }
  return result;
}

async function affinePoints(parts: MsmParts, arithmetic: PointArithmetic): Promise<Uint8Array[]> {
  if (parts.kind === 'points') return [...parts.points];
  return [await arithmetic.reduceWindows(parts.sums, parts.windowBits)];
}

/** The points that have no place in the prepared form, times their scalars. */
function exceptionalShare(bases: BasesOutline, scalars: Uint8Array, arithmetic: PointArithmetic): Promise<Uint8Array> {
  const points = bases.exceptional.map(({ point }) => point);
  const factors = bases.exceptional.map(({ index }) =>
    scalars.subarray(index * SCALAR_BYTES, (index + 1) * SCALAR_BYTES),
  );
  return arithmetic.combine(joinBytes(points), joinBytes(factors));
}

async function sum(
  points: readonly Uint8Array[],
  bases: BasesOutline,
  arithmetic: PointArithmetic,
): Promise<Uint8Array> {
  if (points.length === 0) return new Uint8Array(pointBytes(bases.curve, bases.group));
  if (points.length === 1) return points[0]!;
  return arithmetic.combine(joinBytes(points));
}
