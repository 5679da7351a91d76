import type { AdapterTimes, MapRow, PerformanceMap } from '../../api/index.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import { valueBy } from './msm-times.js';

/**
 * The workers must be so much faster than the GPU to hold bases alone: they take at most this part of its time.
 */
const CLEARLY_FASTER = 0.8;

/** Less than the work of any MSM. */
export const NO_WORK = -1;

/**
 * Whether the workers are known to compute MSMs over `points` points, and larger ones as in a batch, clearly faster
 * than the GPU, however dense the scalars are.
 */
export function prefersWorkers(
  workers: PerformanceMap['workers'],
  gpu: AdapterTimes,
  curve: CurveId,
  group: GroupId,
  points: number,
): boolean {
  const [onWorkers, onGpu] = [workers, gpu].map(({ rows }) => valueBy(rows, curve, group, ({ ms }) => ms));
  const largest = Math.max(points, ...gpu.rows.map((row) => row.points));
  // What was not measured fails the comparison.
  return [points, largest].every(
    (size) => (onWorkers!(size) ?? Number.NaN) <= CLEARLY_FASTER * (onGpu!(size) ?? Number.NaN),
  );
}

/** What an MSM is over, and whether the GPU's result is checked by a random linear combination. */
interface MsmSize {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly points: number;
  readonly isChecked: boolean;
}

/**
 * The most work of an MSM that the workers are known to compute in less time than the GPU. By measured times of sparse
 * and of random scalars, between which both executors' times are taken to grow evenly with the work. `NO_WORK` where
 * the GPU is faster for sparse scalars, too, or not both were measured; infinite where the workers are for all.
 */
export function mostWorkOnWorkers(
  workers: PerformanceMap['workers'],
  gpu: AdapterTimes,
  { curve, group, points, isChecked }: MsmSize,
): number {
  const at = (rows: readonly MapRow[], take: (row: MapRow) => number | undefined): number =>
    valueBy(rows, curve, group, take)(points) ?? Number.NaN;
  const lead = {
    ofSparse:
      at(gpu.rows, ({ sparse }) => (isChecked ? sparse?.checkedMs : sparse?.ms)) -
      at(workers.rows, ({ sparse }) => sparse?.ms),
    ofFull: at(gpu.rows, ({ ms, checkedMs }) => (isChecked ? checkedMs : ms)) - at(workers.rows, ({ ms }) => ms),
  };
  if (Number.isNaN(lead.ofSparse + lead.ofFull)) return NO_WORK;
  if (lead.ofFull > 0) return Number.POSITIVE_INFINITY;
  if (lead.ofSparse <= 0) return NO_WORK;
  const [sparse, full] = [at(gpu.rows, (row) => row.sparse?.work), at(gpu.rows, ({ work }) => work)];
  return sparse + ((full - sparse) * lead.ofSparse) / (lead.ofSparse - lead.ofFull);
}
