import type { AdapterTimes, PerformanceMap } from '../../api/index.js';
import type { SplitRates } from '../../bases/split/split-backend.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import { valueBy } from './msm-times.js';

/**
 * A split must promise to take at most this part of the time of the faster executor: both then use the memory and the
 * coordinator at once.
 */
const CLEARLY_FASTER = 0.8;

/** Shares that are compared, in so many parts of all points. */
const STEPS = 32;

/**
 * The rates, in points a millisecond, at which the GPU and the workers together compute an MSM over `points` points, if
 * that is clearly faster than either alone. Times between measured sizes are interpolated, so that every share includes
 * the fixed cost of an MSM.
 */
export function predictSplit(
  workers: PerformanceMap['workers'],
  gpu: AdapterTimes,
  curve: CurveId,
  group: GroupId,
  points: number,
): SplitRates | undefined {
  const timeOnGpu = valueBy(gpu.rows, curve, group, ({ ms }) => ms);
  const timeOnWorkers = valueBy(workers.rows, curve, group, ({ ms }) => ms);
  const alone = Math.min(timeOnGpu(points) ?? Number.POSITIVE_INFINITY, timeOnWorkers(points) ?? 0);
  let best = { ms: CLEARLY_FASTER * alone, onGpu: 0 };
  for (let step = 1; step < STEPS; step++) {
    const onGpu = (points * step) / STEPS;
    const ms = Math.max(timeOnGpu(onGpu) ?? Number.POSITIVE_INFINITY, timeOnWorkers(points - onGpu) ?? 0);
    if (ms <= best.ms) best = { ms, onGpu };
  }
  const { ms, onGpu } = best;
  return onGpu === 0 ? undefined : { gpu: onGpu / ms, workers: (points - onGpu) / ms };
}
