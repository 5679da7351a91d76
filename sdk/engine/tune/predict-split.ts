import type { AdapterTimes, MapRow, PerformanceMap } from '../../api/index.js';
import type { SplitRates } from '../../bases/split/split-sums.js';
import type { CurveId, GroupId } from '../../curves/index.js';

/**
 * A split must promise to take at most this part of the time of the faster executor: both then use the memory and the
 * coordinator at once.
 */
const CLEARLY_FASTER = 0.8;

/** Shares that are compared, in so many parts of all points. */
const STEPS = 32;

/** MSMs of up to so many times as many points as were measured are predicted. */
const MOST_BEYOND = 2;

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
  const timeOnGpu = timesBy(gpu.rows, curve, group);
  const timeOnWorkers = timesBy(workers.rows, curve, group);
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

/**
 * The milliseconds of an MSM by its points, interpolated from the rows of a group; undefined for more points than can
 * be predicted.
 */
function timesBy(rows: readonly MapRow[], curve: CurveId, group: GroupId): (points: number) => number | undefined {
  const known = rows.filter((row) => row.curve === curve && row.group === group).sort((a, b) => a.points - b.points);
  return (points) => {
    const [first] = known;
    const last = known.at(-1);
    if (first === undefined || last === undefined || points > MOST_BEYOND * last.points) return undefined;
    if (points <= first.points) return first.ms;
    if (points >= last.points) return (last.ms * points) / last.points;
    const next = known.findIndex((row) => row.points >= points);
    const [a, b] = [known[next - 1]!, known[next]!];
    return a.ms + ((b.ms - a.ms) * (points - a.points)) / (b.points - a.points);
  };
}
