import { freeMemory } from '../base/free-memory.js';
import { preparedPointBytes } from '../bases/prepared.js';
import type { Curve, GroupId } from '../curves/index.js';
import { eachSlice } from '../executors/workers/pool/slices.js';
import { retryOnDeadWorker } from '../recovery/attempt.js';
import { type CeremonyWork, SLICE_POINTS } from './ceremony-work.js';

/** Prepared points, or zeros for infinity. */
export interface PointVector {
  readonly curve: Curve;
  readonly group: GroupId;
  readonly points: Uint8Array;
}

interface SliceCall {
  /** Default: points of which each takes a while. */
  readonly slicePoints?: number;
  /** Called with the done fraction. */
  readonly onProgress?: (fraction: number) => void;
}

/** Points of one job that only writes them. */
const WRITTEN_TOGETHER = 1 << 12;

/** Replaces the first points by what a kernel makes of them, which has as many bytes. */
export async function inSlices(
  { pool, signal }: CeremonyWork,
  { curve, group, points }: PointVector,
  count: number,
  call: (points: Uint8Array) => Promise<Uint8Array>,
  { slicePoints = SLICE_POINTS, onProgress }: SliceCall = {},
): Promise<void> {
  const size = preparedPointBytes(curve.id, group);
  const work = async (from: number, to: number): Promise<void> => {
    const made = await retryOnDeadWorker(() => call(points.slice(from * size, to * size)));
    points.set(made, from * size);
    freeMemory(made);
  };
  await eachSlice(pool, count, slicePoints, work, { signal, onProgress });
}

/** Points, or zeros for infinity, as a .zkey and a .ptau file have them. */
export async function writtenByWorkers(work: CeremonyWork, { curve, group, points }: PointVector): Promise<Uint8Array> {
  const { pool, signal } = work;
  const module = await work.module(curve.id, 'roots');
  const written = { curve, group, points: points.slice() };
  const count = points.length / preparedPointBytes(curve.id, group);
  const write = (own: Uint8Array): Promise<Uint8Array> =>
    pool.call(curve.id, 'writePoints', { group, points: own, to: 'ptau', module }, { signal, moved: true });
  await inSlices(work, written, count, write, { slicePoints: WRITTEN_TOGETHER });
  return written.points;
}
