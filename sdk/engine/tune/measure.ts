import type { MapMultiples, MapRow } from '../../api/index.js';
import { throwIfAborted } from '../../base/abort.js';
import { equalBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/is-object.js';
import type { BasesToLoad, ResidentBases, SumBackend } from '../../bases/backend.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../bases/digits.js';
import { AUTOMATIC_MULTIPLES, type MeasuredSum } from '../../bases/multiples.js';
import { hostScalars, type ScalarVector } from '../../bases/scalar-vector.js';
import { type SampleBases, sampleScalars } from './sample-bases.js';

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
const LOGS = [10, 12, 14, 16, 18];

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

export interface Measurement {
  readonly backend: SumBackend;
  readonly bases: Pick<SampleBases, 'take'>;
  /** The plan that is taken without a map; undefined where plans are not to be chosen. */
  readonly usual?: ((points: number) => { readonly windowBits: number; readonly chunks: number }) | undefined;
  /** Whether the workers can decompose the scalars of the backend's MSMs. */
  readonly workersCutDigits?: boolean | undefined;
  /**
   * Bases with so many multiples of each; undefined if no plan has so many. Left out where MSMs with multiples are not
   * to be measured.
   */
  readonly withMultiples?: ((points: number, multiples: number) => Promise<BasesToLoad | undefined>) | undefined;
  /** Milliseconds of work before anything is timed, since an idle GPU has lowered its clock. */
  readonly warmUpMs: number;
  /** When to end, by `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

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
    rows.push({ curve, group, points: 2 ** log, ...row });
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
): Promise<MeasuredSum> {
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

async function withStopwatch<T>(
  measurement: Measurement,
  curve: MapRow['curve'],
  points: number,
  work: (stopwatch: Stopwatch) => Promise<T>,
  bases: BasesToLoad = measurement.bases.take(points),
): Promise<T> {
  const { backend, signal } = measurement;
  const resident = await backend.load(bases, undefined, ownMembers({ signal }));
  try {
    const scalars = hostScalars(sampleScalars(curve, points));
    return await work(new Stopwatch(backend, resident, scalars, measurement));
  } finally {
    resident.release();
  }
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

/** The part of a row that decides a plan. */
type MapTuning = Pick<MapRow, 'windowBits' | 'chunks' | 'largeBucketFactor' | 'digits'>;

/**
 * The least number of timed runs of a plan; short ones run more often, for about so many milliseconds. The fastest
 * counts, since everything else only adds to it. A run before them, which makes buffers, is not timed.
 */
const RUNS = 3;
const MOST_RUNS = 15;
const TIMED_MS = 30;

/** A choice whose first run takes so many times what the best one takes is not timed again. */
const HOPELESS = 1.25;

/** `RESULT_INVALID` unless two MSMs over the same points and scalars have the same result. */
export function expectSame(known: Uint8Array, sum: Uint8Array): void {
  if (equalBytes(known, sum)) return;
  throw new PippinError('RESULT_INVALID', 'expected the same sum from every plan and backend, got another one');
}

/** Times MSMs over the same bases with the same scalars, and compares their results. */
class Stopwatch {
  private known: Uint8Array | undefined;

  constructor(
    private readonly backend: SumBackend,
    private readonly resident: ResidentBases,
    private readonly scalars: ScalarVector,
    private readonly until: { readonly deadline: number; readonly signal: AbortSignal },
  ) {}

  /**
   * Milliseconds of the fastest run; of one run, if that takes so much longer than `fastest` that others would not be
   * faster.
   */
  async time(tuning: MapTuning, fastest = Number.POSITIVE_INFINITY): Promise<number> {
    const { deadline, signal } = this.until;
    let best = Number.POSITIVE_INFINITY;
    const begin = performance.now();
    for (let run = 0; run <= MOST_RUNS; run++) {
      if (run > RUNS && performance.now() - begin > TIMED_MS) break;
      throwIfAborted(signal);
      const start = performance.now();
      const [sum] = await this.backend.multiplyBatch(this.resident, this.scalars, 1, ownMembers({ signal, ...tuning }));
      if (run > 0) best = Math.min(best, performance.now() - start);
      this.known ??= sum!.point;
      expectSame(this.known, sum!.point);
      if (run > 0 && best > HOPELESS * fastest) break;
      // The first runs of a slow device are enough.
      if (run > 0 && performance.now() > deadline) break;
    }
    return best;
  }
}
