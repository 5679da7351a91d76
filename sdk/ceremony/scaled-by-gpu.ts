import { copyBytes } from '../base/bytes.js';
import { wipe } from '../base/free-memory.js';
import { type CurveId, pointBytes } from '../curves/index.js';
import type { GpuPoints } from '../executors/gpu/points/gpu-points.js';
import type { PointEncoding } from '../executors/workers/kernel/point-kernel.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import { retryOnDeadWorker } from '../recovery/attempt.js';
import type { CeremonyWork } from './ceremony-work.js';

/** The part of the work on points that is checking them. */
export const SHARE_OF_CHECKS = 0.1;
/** Points of one job of a worker: the more, the fewer additions its check takes for each. */
const MOST_SLICE_POINTS = 1 << 15;
const LEAST_SLICE_POINTS = 1 << 10;
/** Points that all workers have at a time: further ones would only take memory. */
const POINTS_AT_WORK = 1 << 18;
/** Jobs of each worker, so that all end at about the same time. */
const JOBS_OF_WORKER = 4;

/** Points of one job, if so many workers share so many points: a power of two. */
export function slicePoints(count: number, workers: number): number {
  const most = Math.min(MOST_SLICE_POINTS, POINTS_AT_WORK / workers, count / (JOBS_OF_WORKER * workers));
  return Math.max(LEAST_SLICE_POINTS, 2 ** Math.floor(Math.log2(most)));
}

export interface PointsToScale {
  readonly curve: CurveId;
  readonly vector: KeyVector;
  readonly encoding: PointEncoding;
  /** The vector's name in messages. */
  readonly what: string;
  /** From 1 to r - 1, canonical. */
  readonly scalar: Uint8Array;
  /** The points of the vector that are multiplied, and of one job of a worker. */
  readonly from: number;
  readonly count: number;
  readonly slice: number;
  /** Called with the done fraction, which falls back where a worker died. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Points of a key's vector times one scalar, as a .zkey has them, in parts. A worker prepares a slice of the file's
 * points; the GPU multiplies the slices of a chunk together; a worker checks a slice of products and writes it. Nothing
 * is copied in between but to the GPU and from it.
 *
 * `INVALID_POINT` as `pointsToScale`, `RESULT_INVALID` as `checkedProducts`; device faults as `GpuPoints.scale`.
 */
export async function scaledByGpu(work: CeremonyWork, gpu: GpuPoints, points: PointsToScale): Promise<Uint8Array[]> {
  const { from, count, slice: given, onProgress } = points;
  const most = Math.max(1, gpu.mostPoints);
  const slice = Math.min(given, most);
  const together = slice * Math.floor(most / slice);
  const parts: Uint8Array[] = [];
  for (let done = 0; done < count; done += together) {
    const some = Math.min(together, count - done);
    const tell = (fraction: number): void => onProgress((done + fraction * some) / count);
    const chunk = { ...points, from: from + done, count: some, slice, onProgress: tell };
    parts.push(...(await retryOnDeadWorker(() => scaledTogether(work, gpu, chunk))));
  }
  return parts;
}

/** The same for so many points as the GPU takes at a time. */
async function scaledTogether(
  { pool, module: moduleOf, signal }: CeremonyWork,
  gpu: GpuPoints,
  { curve, vector, encoding, what, scalar, from, count, slice, onProgress }: PointsToScale,
): Promise<Uint8Array[]> {
  const { group, bytes } = vector;
  const size = pointBytes(curve, group);
  const module = await moduleOf(curve, 'roots');
  const slices = Array.from({ length: Math.ceil(count / slice) }, (_, i) => ({
    first: from + i * slice,
    some: Math.min(slice, count - i * slice),
  }));
  let [ready, done] = [0, 0];
  const tell = (): void => onProgress((SHARE_OF_CHECKS * ready + (1 - SHARE_OF_CHECKS) * done) / count);
  const prepared = await allEnded(
    slices.map(async ({ first, some }) => {
      const points = await bytes.read(first * size, some * size);
      const args = { group, encoding, points, firstIndex: first, what };
      // Before the checks of earlier chunks, since the GPU waits for them.
      const made = await pool.call(curve, 'pointsToScale', args, { signal, moved: true, urgent: true });
      ready += some;
      tell();
      return made;
    }),
  );
  const own = { scalars: copyBytes(scalar) };
  const halves = await pool.call(curve, 'splitScalars', own, { signal }).finally(() => wipe(own.scalars));
  const products = await gpu.scale(prepared, halves, { signal }).finally(() => wipe(halves));
  return allEnded(
    slices.map(async ({ some }, i) => {
      const args = { group, points: prepared[i]!, products: products[i]!, scalar: copyBytes(scalar), module };
      const call = pool.call(curve, 'checkedProducts', args, { signal, moved: true });
      const written = await call.finally(() => wipe(args.scalar));
      done += some;
      tell();
      return written;
    }),
  );
}

/** What all are fulfilled with. Rejects when all have ended. */
async function allEnded<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
