import type { MapMultiples, MapRow } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../bases/digits.js';
import { AUTOMATIC_MULTIPLES, type MeasuredMsm } from '../../bases/multiples.js';
import { hostScalars } from '../../bases/scalar-vector.js';
import { fullWork } from '../../bases/scalar-work.js';
import { measureWork } from './measure-work.js';
import { sampleScalars } from './sample-bases.js';
import { type MapTuning, type Measurement, RUNS, type Stopwatch, withStopwatch } from './stopwatch.js';

/** How much faster another choice must be to count as better: less is noise. */
const CLEARLY_BETTER = 0.98;

const BOUNDS = { windowBits: [MIN_WINDOW_BITS, MAX_WINDOW_BITS], chunks: [1, 64] } as const;

/** A plan and the milliseconds of the fastest run. */
interface Found {
  readonly tuning: MapTuning;
  readonly ms: number;
}

/**
 * Hill climbing from `best` in each direction, as long as the next choice is clearly faster. If one direction is
 * better, the others are not tried.
 */
async function climb(
  best: Found,
  directions: readonly Iterable<MapTuning>[],
  stopwatch: Stopwatch,
  deadline: number,
): Promise<Found> {
  const start = best;
  for (const direction of directions) {
    for (const choice of direction) {
      if (performance.now() > deadline) return best;
      const tuning = { ...best.tuning, ...choice };
      const ms = await ifItFits(stopwatch.time(tuning, best.ms));
      if (ms === undefined || ms > CLEARLY_BETTER * best.ms) break;
      best = { tuning, ms };
    }
    if (best !== start) break;
  }
  return best;
}

/** The values of a field above `usual`, and those below it, within the bounds of the field. */
function neighbours(
  field: keyof typeof BOUNDS,
  usual: number,
  next: (value: number, step: 1 | -1) => number,
): Iterable<MapTuning>[] {
  const [least, most] = BOUNDS[field];
  return ([1, -1] as const).map(function* (step) {
    for (let value = next(usual, step); value >= least && value <= most; value = next(value, step)) {
      yield { [field]: value };
    }
  });
}

/** What the work gives; undefined where the memory is too small for it. */
async function ifItFits<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PippinError && error.code === 'OUT_OF_MEMORY') return undefined;
    throw error;
  }
}

/** The numbers of points that are measured, as logarithms, in this order. */
const LOGS = [8, 10, 12, 14, 16, 18];

/** Each size has four times the points of the one before, which take at most four times as long. */
const GROWTH = 4;

const WARM_UP_POINTS = 2 ** 12;

/** Smaller MSMs are not worth multiples. */
const FEWEST_WITH_MULTIPLES = 2 ** 12;

/** A size is measured only if about so many windows can be timed in what is left, or the one that there is. */
const LEAST_WINDOWS = 3;

/**
 * Lengths of pieces that are tried besides the usual one: short ones, which occupy more threads, and long ones, of
 * which fewer are folded.
 */
const LARGE_BUCKET_FACTORS = [1, 3];

/**
 * The times of MSMs by size, and where plans are to be chosen, the best one for each. From the usual plan the search
 * goes on as long as a neighbour is faster: in windows for all sizes, and in the time that is left with multiples, and
 * in the other fields.
 */
export async function measureRows(measurement: Measurement, curve: MapRow['curve'], group: MapRow['group']) {
  const rows: MapRow[] = [];
  const leastRuns = (1 + RUNS) * (measurement.usual === undefined ? 1 : LEAST_WINDOWS);
  let expectedMs = 0;
  for (const [i, log] of LOGS.entries()) {
    const left = measurement.deadline - performance.now();
    if (i > 0 && expectedMs * leastRuns > left) break;
    const row = await ifItFits(measureSize(measurement, curve, 2 ** log));
    if (row === undefined) break;
    rows.push(
      await measureWork(measurement, { curve, group, points: 2 ** log, work: fullWork(curve, 2 ** log), ...row }),
    );
    expectedMs = GROWTH * row.ms;
    measurement.onProgress((i + 1) / LOGS.length);
  }
  // How long it took to make the multiples of the size before, and to time MSMs with them.
  let trialMs = 0;
  for (const [i, row] of rows.entries()) {
    if (measurement.withMultiples === undefined || row.points < FEWEST_WITH_MULTIPLES) continue;
    const begin = performance.now();
    if (GROWTH * trialMs > measurement.deadline - begin) break;
    const withMultiples = await measureMultiples(measurement, curve, row.points);
    if (withMultiples === undefined) break;
    rows[i] = { ...row, withMultiples };
    trialMs = performance.now() - begin;
  }
  for (const [i, row] of rows.entries()) rows[i] = await measureChoices(measurement, curve, row);
  return rows;
}

/** Keeps the backend at work for a while. */
export async function warmUp({ backend, bases, warmUpMs, signal }: Measurement, curve: MapRow['curve']): Promise<void> {
  const resident = await backend.load(bases.take(WARM_UP_POINTS), undefined, ownMembers({ signal }));
  const scalars = hostScalars(sampleScalars(curve, WARM_UP_POINTS));
  const end = performance.now() + warmUpMs;
  try {
    do await backend.multiplyBatch(resident, scalars, 1, ownMembers({ signal }));
    while (performance.now() < end);
  } finally {
    resident.release();
  }
}

/** The best window that was found for an MSM over `points` points, and the milliseconds that it takes with it. */
export async function measureSize(
  measurement: Measurement,
  curve: MapRow['curve'],
  points: number,
): Promise<MeasuredMsm> {
  const { usual, deadline } = measurement;
  return withStopwatch(measurement, curve, points, async (stopwatch) => {
    if (usual === undefined) return { ms: await stopwatch.time({}) };
    const { windowBits } = usual(points);
    const first: Found = { tuning: { windowBits }, ms: await stopwatch.time({ windowBits }) };
    const windows = neighbours('windowBits', windowBits, (bits, step) => bits + step);
    const { tuning, ms } = await climb(first, windows, stopwatch, deadline);
    return { ...tuning, ms };
  });
}

/** The same MSM with chunks, lengths of pieces and digits that are clearly better than the usual ones. */
export async function measureChoices(measurement: Measurement, curve: MapRow['curve'], row: MapRow): Promise<MapRow> {
  const { usual, workersCutDigits = false, deadline } = measurement;
  const { points, windowBits, ms } = row;
  if (usual === undefined || performance.now() > deadline) return row;
  return withStopwatch(measurement, curve, points, async (stopwatch) => {
    const counts = neighbours('chunks', usual(points).chunks, (count, step) => (step > 0 ? 2 * count : count / 2));
    const first: Found = { tuning: windowBits === undefined ? {} : { windowBits }, ms };
    let best = await climb(first, counts, stopwatch, deadline);
    const others: MapTuning[] = LARGE_BUCKET_FACTORS.map((largeBucketFactor) => ({ largeBucketFactor }));
    if (workersCutDigits) others.push({ digits: 'workers' });
    for (const other of others) best = await climb(best, [[other]], stopwatch, deadline);
    return { ...row, ...best.tuning, ms: best.ms };
  });
}

/**
 * What an MSM over `points` points takes with each number of multiples that is worth a trial; undefined if there is no
 * time for all of them.
 */
export async function measureMultiples(
  measurement: Measurement,
  curve: MapRow['curve'],
  points: number,
): Promise<MapMultiples[] | undefined> {
  const { withMultiples, deadline } = measurement;
  const rows: MapMultiples[] = [];
  for (const multiples of AUTOMATIC_MULTIPLES) {
    if (performance.now() > deadline) return undefined;
    const taken = await withMultiples?.(points, multiples);
    if (taken?.multiples === undefined) break;
    const time = (stopwatch: Stopwatch): Promise<number> => stopwatch.time({});
    const ms = await ifItFits(withStopwatch(measurement, curve, points, time, taken));
    if (ms === undefined) break;
    rows.push({ ...taken.multiples.plan, ms });
  }
  return rows;
}
