import type { AdapterTimes, PerformanceMap } from '../../api/index.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import { nearestRow } from './performance-map.js';

/** The workers must be so much faster than the GPU to be preferred for a sum: they take at most this part of its time. */
const CLEARLY_FASTER = 0.8;

/** Whether the workers are known to compute a sum of `points` points clearly faster than the GPU. */
export function prefersWorkers(
  workers: PerformanceMap['workers'],
  gpu: AdapterTimes,
  curve: CurveId,
  group: GroupId,
  points: number,
): boolean {
  const onWorkers = nearestRow(workers.rows, curve, group, points);
  const onGpu = nearestRow(gpu.rows, curve, group, points);
  return onWorkers !== undefined && onGpu !== undefined && onWorkers.points === onGpu.points
    ? onWorkers.ms <= CLEARLY_FASTER * onGpu.ms
    : false;
}
